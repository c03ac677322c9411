/* Two robots by two threads; then the server goes away, and the program lives on. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "robotOne.h"

#define CHECK(what)                                                                    \
    do {                                                                               \
        if (!(what)) {                                                                 \
            fprintf(stderr, "line %d: not so: %s (%s)\n", __LINE__, #what, robotone_error()); \
            return 1;                                                                  \
        }                                                                              \
    } while (0)

static const char *address;

static int drive(int number) {
    RobotOneHandle *robot = robotone_open(address, ROBOT_ONE_DIALECT_THESIS, 60.0);
    CHECK(robot != NULL);
    CHECK(robotone_set(robot, "World.Robot", (float)number) == ROBOT_ONE_STATUS_DONE);
    CHECK(robotone_set(robot, "Velocity.Linear", 1.0f + number) == ROBOT_ONE_STATUS_DONE);
    float passed = 0, pose[3];
    size_t got = 0;
    for (int cycle = 0; cycle < 60; cycle++) {
        CHECK(robotone_wait(robot, &passed) == ROBOT_ONE_STATUS_DONE);
    }
    CHECK(robotone_get_floats(robot, "Pose", pose, 3, &got) == ROBOT_ONE_STATUS_DONE && got == 3);
    CHECK(fabsf(pose[0] - (1.0f + number)) < 1e-3f);
    robotone_close(robot);
    return 0;
}

static void *drive_other(void *result) {
    *(int *)result = drive(1);
    return NULL;
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    address = arguments[1];
    CHECK(robotone_open("127.0.0.1:1", ROBOT_ONE_DIALECT_THESIS, 1.0) == NULL);
    CHECK(strstr(robotone_error(), "cannot connect") != NULL);
    CHECK(robotone_open(address, 7, 1.0) == NULL && strstr(robotone_error(), "dialect") != NULL);

    int other = 1;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, drive_other, &other) == 0);
    int own = drive(0);
    pthread_join(thread, NULL);
    CHECK(own == 0 && other == 0);

    RobotOneHandle *robot = robotone_open(address, ROBOT_ONE_DIALECT_THESIS, 60.0);
    float value = 0, few[2], many[100], bearings[100];
    size_t got = 0;
    CHECK(robotone_get(robot, "Pose.Z", &value) == ROBOT_ONE_STATUS_NOT_DONE);
    CHECK(strstr(robotone_error(), "there is no `Pose.Z`") != NULL);
    CHECK(robotone_set(robot, "World.Robot", 5.0f) == ROBOT_ONE_STATUS_NOT_DONE);
    CHECK(strstr(robotone_error(), "there is no robot 5: there are 2, from 0") != NULL);
    CHECK(robotone_get_floats(robot, "Pose", few, 2, &got) == ROBOT_ONE_STATUS_BAD_CALL && got == 3);
    CHECK(robotone_get_floats(robot, "Pose.X", few, 2, &got) == ROBOT_ONE_STATUS_DONE && got == 1);
    CHECK(robotone_get(NULL, "Pose.X", &value) == ROBOT_ONE_STATUS_BAD_CALL);
    CHECK(robotone_get(robot, NULL, &value) == ROBOT_ONE_STATUS_BAD_CALL);
    CHECK(robotone_get_data(robot, "Pose.X", NULL, 0, &got) == ROBOT_ONE_STATUS_BAD_REPLY);
    CHECK(robotone_lidar(robot, many, bearings, 100, &got) == ROBOT_ONE_STATUS_DONE && got == 36);
    CHECK(fabsf(bearings[17]) < 1e-6f && bearings[0] < -1.4f && bearings[35] > 1.5f);
    RobotOneScan scan = {0};
    for (int again = 0; again < 2; again++) {
        CHECK(robotone_scan(robot, &scan) == ROBOT_ONE_STATUS_DONE && scan.size == 36);
        for (int i = 0; i < 36; i++) {
            CHECK(scan.distances[i] == scan.readings[i] && scan.distances[i] == many[i]);
            CHECK(fabsf(scan.bearings[i] + bearings[i]) < 1e-6f);
            CHECK(fabsf(scan.points[2 * i] - many[i] * cosf(scan.bearings[i])) < 1e-5f);
            CHECK(fabsf(scan.points[2 * i + 1] - many[i] * sinf(scan.bearings[i])) < 1e-5f);
        }
        CHECK(scan.bearings[0] > 1.4f && scan.points[1] > 7.9f); /* to the left */
    }
    robotone_scan_free(&scan);
    robotone_scan_free(NULL);
    CHECK(scan.size == 0 && scan.points == NULL);
    CHECK(robotone_scan(robot, NULL) == ROBOT_ONE_STATUS_BAD_CALL);
    CHECK(robotone_set_data(robot, "World.Maze.Load", (const uint8_t *)"R 1 2", 5) == 0);
    CHECK(robotone_get(robot, "Pose.Y", &value) == ROBOT_ONE_STATUS_DONE && value == 2.0f);

    /* The test ends the server now. */
    printf("ready\n");
    fflush(stdout);
    RobotOneStatus status = ROBOT_ONE_STATUS_DONE;
    while (status == ROBOT_ONE_STATUS_DONE) {
        status = robotone_set(robot, "Velocity.Linear", 1.0f);
        usleep(1000);
    }
    CHECK(status == ROBOT_ONE_STATUS_LOST);
    for (int again = 0; again < 10; again++) {
        CHECK(robotone_set(robot, "Velocity.Linear", 1.0f) == ROBOT_ONE_STATUS_LOST);
    }
    robotone_close(robot);
    robotone_close(NULL);
    printf("done\n");
    return 0;
}
