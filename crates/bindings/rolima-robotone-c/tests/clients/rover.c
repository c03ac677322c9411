/* A rover with six wheels, each told its own voltage: straight on, then only the left ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robotOne.h"

#define CHECK(what)                                                                    \
    do {                                                                               \
        if (!(what)) {                                                                 \
            fprintf(stderr, "line %d: not so: %s (%s)\n", __LINE__, #what, robotone_error()); \
            return 1;                                                                  \
        }                                                                              \
    } while (0)

static const char *const LEFT[] = {"front-left", "middle-left", "rear-left"};
static const char *const RIGHT[] = {"front-right", "middle-right", "rear-right"};

static int told(RobotOneHandle *robot, const char *const *wheels, float volts) {
    for (int i = 0; i < 3; i++) {
        CHECK(robotone_actuate(robot, wheels[i], volts) == ROBOT_ONE_STATUS_DONE);
    }
    return 0;
}

static int two_seconds(RobotOneHandle *robot, float pose[3]) {
    float passed = 0;
    size_t got = 0;
    for (int cycle = 0; cycle < 120; cycle++) {
        CHECK(robotone_wait(robot, &passed) == ROBOT_ONE_STATUS_DONE);
    }
    CHECK(robotone_get_floats(robot, "Pose", pose, 3, &got) == ROBOT_ONE_STATUS_DONE && got == 3);
    return 0;
}

int main(void) {
    char address[64];
    const char *port = getenv("ROBOTONE_PORT");
    CHECK(port != NULL);
    snprintf(address, sizeof address, "127.0.0.1:%s", port);
    RobotOneHandle *robot = robotone_open(address, ROBOT_ONE_DIALECT_THESIS, 60.0);
    CHECK(robot != NULL);
    float start[3], straight[3], turned[3];
    CHECK(robotone_actuate(robot, "nose", 1.0f) == ROBOT_ONE_STATUS_BAD_CALL);
    CHECK(strstr(robotone_error(), "no actuator") != NULL);
    CHECK(two_seconds(robot, start) == 0);
    CHECK(told(robot, LEFT, 12.0f) == 0 && told(robot, RIGHT, 12.0f) == 0);
    CHECK(two_seconds(robot, straight) == 0);
    CHECK(straight[0] > start[0] + 0.2f && straight[2] < 0.02f && straight[2] > -0.02f);
    CHECK(told(robot, RIGHT, 0.0f) == 0);
    CHECK(two_seconds(robot, turned) == 0);
    CHECK(turned[2] < straight[2] - 0.05f); /* to the right */
    robotone_close(robot);
    printf("done\n");
    return 0;
}
