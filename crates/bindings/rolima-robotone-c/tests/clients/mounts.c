/* Where the beams of two robots' lidars ended in the world: robot, x and y. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "robotOne.h"

int main(void) {
    char address[32];
    snprintf(address, sizeof address, "127.0.0.1:%s", getenv("ROBOTONE_PORT"));
    RobotOneHandle *handle = robotone_open(address, ROBOT_ONE_DIALECT_THESIS, 60.0);
    RobotOneScan scan = {0};
    float passed = 0;
    robotone_wait(handle, &passed);
    for (int robot = 0; robot < 2; robot++) {
        float pose[3];
        size_t got = 0;
        if (robotone_set(handle, "World.Robot", (float)robot) != ROBOT_ONE_STATUS_DONE
            || robotone_get_floats(handle, "Pose", pose, 3, &got) != ROBOT_ONE_STATUS_DONE
            || robotone_scan(handle, &scan) != ROBOT_ONE_STATUS_DONE) {
            fprintf(stderr, "%s\n", robotone_error());
            return 1;
        }
        for (size_t k = 0; k < scan.size; k++) {
            float x = scan.points[2 * k], y = scan.points[2 * k + 1];
            printf("%d %.9f %.9f\n", robot, pose[0] + cosf(pose[2]) * x - sinf(pose[2]) * y,
                   pose[1] + sinf(pose[2]) * x + cosf(pose[2]) * y);
        }
    }
    robotone_scan_free(&scan);
    robotone_close(handle);
    return 0;
}
