/* Every function of the released library, as a program written for it would use them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robotOne.h"

_Static_assert(sizeof(Value3) == 12 && sizeof(Value2) == 8, "values");
_Static_assert(offsetof(CameraData, data) == 16 && sizeof(CameraData) == 16 + sizeof(char *), "camera");
_Static_assert(offsetof(LidarData, readings) == sizeof(char *), "lidar");
_Static_assert(sizeof(LidarData) == 5 * sizeof(char *), "lidar");

#define CHECK(what)                                                                    \
    do {                                                                               \
        if (!(what)) {                                                                 \
            fprintf(stderr, "line %d: not so: %s\n", __LINE__, #what);                 \
            return 1;                                                                  \
        }                                                                              \
    } while (0)

static int near(float a, float b) { return fabsf(a - b) < 1e-4f; }

int main(int count, char **arguments) {
    CHECK(count == 2);
    /* Without a connection nothing works and nothing breaks. */
    Value3 pose = {{7, 7, 7}};
    getPose(&pose);
    CHECK(pose.values[0] == 0 && get("Pose.X") == 0 && waitRobotOne() == 0);
    CHECK(getData() != NULL && getDataFloat() != NULL && disconnectRobotOne() == 0);
    CHECK(connectRobotOne("127.0.0.1:1") == 0);

    CHECK(connectRobotOne(arguments[1]) == 1);
    CHECK(versionRobotOne() == 1.0f);
    Value3 start = {{1.0f, 0.5f, 0.25f}};
    setPose(&start);
    getPose(&pose);
    CHECK(memcmp(&pose, &start, sizeof pose) == 0);
    getOdometry(&pose);
    CHECK(near(pose.values[0], 1.0f) && near(get("Pose.Theta"), 0.25f));
    setOdometry(&start); /* not in this dialect: no effect, no harm */

    Value2 std2 = {{0.01f, 0.02f}}, got2;
    setOdometryStd(&std2);
    getOdometryStd(&got2);
    CHECK(memcmp(&std2, &got2, sizeof got2) == 0);
    memset(&std2, 0, sizeof std2);
    setOdometryStd(&std2);
    Value3 std3 = {{0.3f, 0.2f, 0.1f}}, got3;
    setGPSStd(&std3);
    getGPSStd(&got3);
    CHECK(memcmp(&std3, &got3, sizeof got3) == 0);
    getGPS(&got3);
    CHECK(fabsf(got3.values[0] - 1.0f) < 3.0f);

    setTrace(true);
    CHECK(getTrace());
    setTrace(false);
    CHECK(!getTrace());
    setManualController(true);
    CHECK(getManualController());
    setManualController(false);
    CHECK(!getManualController() && !getLowLevelControl());

    Value3 origin = {{0, 0, 0}};
    setPose(&origin);
    Value2 drive = {{1.0f, 0.0f}};
    setVelocity(&drive);
    getVelocity(&got2);
    CHECK(memcmp(&drive, &got2, sizeof got2) == 0);
    waitRobotOne();
    CHECK(near(waitRobotOne(), 1.0f / 60) && near(get("Pose.X"), 2.0f / 60));
    setLowLevelControl(true);
    CHECK(getLowLevelControl());
    Value2 wheels = {{-5.0f, 5.0f}};
    setWheels(&wheels);
    getWheels(&got2);
    CHECK(memcmp(&wheels, &got2, sizeof got2) == 0);
    waitRobotOne();
    CHECK(get("Pose.Theta") > 0.01f);
    setLowLevelControl(false);

    /* The wall is 3 m ahead. */
    setPose(&origin);
    LidarData lidar;
    memset(&lidar, 0, sizeof lidar);
    initLidar(&lidar, 36);
    CHECK(readLidar(&lidar) == 36 && lidar.size == 36);
    CHECK(near(lidar.readings[17], 3.0f) && lidar.readings[0] == 8.0f);
    CHECK(near(lidar.angles[0], -(float)acos(0)) && near(lidar.angles[18], 0.0f));
    CHECK(lidar.x[0] < -7.9f && lidar.y[17] > 2.9f);
    CHECK(get("Lidar.Read") == 36.0f && near(getDataFloat()[17], 3.0f));

    CameraData camera;
    memset(&camera, 0, sizeof camera);
    initCamera(&camera);
    CHECK(camera.width == 320 && camera.height == 240 && camera.channels == 3);
    CHECK(captureCamera(&camera) == 230400 && camera.size == 230400);
    const unsigned char *pixel = (unsigned char *)camera.data;
    CHECK(pixel[2] > pixel[0]); /* sky */
    pixel += 3 * (239 * 320 + 160);
    CHECK(pixel[1] > pixel[0] && pixel[1] > pixel[2]); /* grass */
    CHECK(get("Camera.Capture") == 230400.0f && (unsigned char)getData()[2] > 200);

    char map[] = "W 2 -5 2 5\n";
    CHECK(setData("World.Maze.Load", (int)strlen(map), map) == strlen(map));
    CHECK(readLidar(&lidar) == 36 && near(lidar.readings[17], 2.0f));
    CHECK(setData("World.Maze.Load", -1, map) == 0 && setData(NULL, 1, map) == 0);
    CHECK(set("Nothing", 1.0f) == 0 && get("Nothing") == 0 && get(NULL) == 0);
    CHECK(get("Pose.X") == 0 && disconnectRobotOne() == 1 && disconnectRobotOne() == 0);
    printf("done\n");
    return 0;
}
