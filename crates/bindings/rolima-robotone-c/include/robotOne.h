/* librobotOne: drive robots of a simulator, or real ones, over TCP.
 *
 * Written by cbindgen; do not edit. */

#ifndef ROBOT_ONE_H_
#define ROBOT_ONE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 How a call ended.
 */
typedef enum {
  /*
   It was done.
   */
  ROBOT_ONE_STATUS_DONE = 0,
  /*
   The simulator did not do it; `robotone_error` says why, as far as the simulator tells.
   */
  ROBOT_ONE_STATUS_NOT_DONE = 1,
  /*
   The connection is lost: close the handle, open another.
   */
  ROBOT_ONE_STATUS_LOST = 2,
  /*
   The answer makes no sense.
   */
  ROBOT_ONE_STATUS_BAD_REPLY = 3,
  /*
   The call makes no sense: null where something belongs, too little room.
   */
  ROBOT_ONE_STATUS_BAD_CALL = 4,
} RobotOneStatus;

/*
 How requests and replies are framed.
 */
typedef enum {
  /*
   As the thesis describes it, port 5047: it tells when something was not done.
   */
  ROBOT_ONE_DIALECT_THESIS = 0,
  /*
   As the released programs speak, port 5046.
   */
  ROBOT_ONE_DIALECT_RELEASE = 1,
} RobotOneDialect;

/*
 A connection to a robot.
 */
typedef struct RobotOneHandle RobotOneHandle;

/*
 A scan, from the left to the right. All zero before the first `robotone_scan`.
 */
typedef struct {
  /*
   How many beams.
   */
  size_t size;
  /*
   Distances, m; what is out of reach reads 8.
   */
  float *distances;
  /*
   The same distances, by their released name.
   */
  float *readings;
  /*
   Bearings in the robot's frame, rad: 0 ahead, counter-clockwise, so positive to the left.
   */
  float *bearings;
  /*
   Where the beams ended in the robot's frame, m: x (forward) and y (to the left) of each beam,
   one after the other, from the robot's origin.
   */
  float *points;
} RobotOneScan;

/*
 A scan, from the left to the right. All zero before `initLidar`.
 */
typedef struct {
  /*
   How many readings.
   */
  int size;
  /*
   Distances, m.
   */
  float *readings;
  /*
   Bearings as the released library has them, rad: reading i of n is at -pi/2 + i pi/n. In
   truth it is one step further to the right, see `robotone_lidar`.
   */
  float *angles;
  /*
   To the right, m, by those bearings.
   */
  float *x;
  /*
   Ahead, m, by those bearings.
   */
  float *y;
} LidarData;

/*
 A picture. All zero before `initCamera`.
 */
typedef struct {
  /*
   Pixels across.
   */
  int width;
  /*
   Pixels down.
   */
  int height;
  /*
   Bytes a pixel: red, green, blue.
   */
  int channels;
  /*
   Bytes in all.
   */
  int size;
  /*
   The bytes, top row first.
   */
  char *data;
} CameraData;

/*
 Three numbers: x, y (m) and heading (rad).
 */
typedef struct {
  /*
   The numbers.
   */
  float values[3];
} Value3;

/*
 Two numbers: m/s and rad/s, or left and right.
 */
typedef struct {
  /*
   The numbers.
   */
  float values[2];
} Value2;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 What went wrong last on this thread; valid until the next call on this thread.
 */
const char *robotone_error(void);

/*
 Connects to "HOST" or "HOST:PORT", at the dialect's own port unless one is given; null if it
 failed. `dialect` is one of `RobotOneDialect`, `timeout_s` how long an answer may take, 0 for ever.

 `address` is null (this machine) or a string.
 */
RobotOneHandle *robotone_open(const char *address, int dialect, double timeout_s);

/*
 Ends the connection: the robot stops, and people can drive it. Null is fine.

 `handle` is null, or open and not used any more.
 */
void robotone_close(RobotOneHandle *handle);

/*
 A number by its name.

 `handle` is null or open, `name` null or a string, `value` null or can be written to.
 */
RobotOneStatus robotone_get(const RobotOneHandle *handle, const char *name, float *value);

/*
 Sets a number by its name.

 `handle` is null or open, `name` null or a string.
 */
RobotOneStatus robotone_set(const RobotOneHandle *handle, const char *name, float value);

/*
 Gives an actuator of the robot a value, in its own unit (V, N m, rad/s or rad), until told otherwise:
 the motor of a wheel, or a joint that steers one. A name that the robot does not have is a bad call.

 `handle` is null or open, `name` null or a string.
 */
RobotOneStatus robotone_actuate(const RobotOneHandle *handle,
                                const char *name,
                                float value);

/*
 Numbers by their name, or the one number that it has. `count` gets how many there are, also if
 there is too little room.

 `handle` is null or open, `name` null or a string, `out` null or room for `room` numbers, `count`
 null or can be written to.
 */
RobotOneStatus robotone_get_floats(const RobotOneHandle *handle,
                                   const char *name,
                                   float *out,
                                   size_t room,
                                   size_t *count);

/*
 Bytes by their name. `count` gets how many there are, also if there is too little room.

 `handle` is null or open, `name` null or a string, `out` null or room for `room` bytes, `count`
 null or can be written to.
 */
RobotOneStatus robotone_get_data(const RobotOneHandle *handle,
                                 const char *name,
                                 uint8_t *out,
                                 size_t room,
                                 size_t *count);

/*
 Sets so many bytes by their name.

 `handle` is null or open, `name` null or a string, `data` null or so many bytes.
 */
RobotOneStatus robotone_set_data(const RobotOneHandle *handle,
                                 const char *name,
                                 const uint8_t *data,
                                 size_t size);

/*
 Waits for the next cycle of the simulation; `passed_s` gets how much simulated time has passed
 since the wait before, s, unless it is null.

 `handle` is null or open, `passed_s` null or can be written to.
 */
RobotOneStatus robotone_wait(const RobotOneHandle *handle, float *passed_s);

/*
 Reads the lidar, from the left to the right: distances (m) and true bearings (rad, 0 ahead,
 negative to the left). Each of the two is null or has room for `room` numbers. `robotone_scan`
 has points and bearings in the robot's frame.

 `handle` is null or open; the rest as said, `count` null or can be written to.
 */
RobotOneStatus robotone_lidar(const RobotOneHandle *handle,
                              float *distances,
                              float *bearings,
                              size_t room,
                              size_t *count);

/*
 Reads the lidar. What `scan` had before is freed or written over; `robotone_scan_free` frees it.

 `handle` is null or open; `scan` is null, all zero, or was used with this function before.
 */
RobotOneStatus robotone_scan(const RobotOneHandle *handle, RobotOneScan *scan);

/*
 Frees what a scan holds; it is all zero then. Null is fine.

 `scan` is null, all zero, or was used with `robotone_scan`.
 */
void robotone_scan_free(RobotOneScan *scan);

/*
 Connects to "HOST" or "HOST:PORT"; this machine, port 5046, if it is null. 1 if it worked, else 0.

 `address` is null or a string.
 */
int connectRobotOne(const char *address);

/*
 Ends the connection: the robot stops, and people can drive it. 1 if there was one, else 0.
 */
int disconnectRobotOne(void);

/*
 Version of the library's functions.
 */
float versionRobotOne(void);

/*
 Waits for the next cycle of the simulation; how much simulated time has passed since the wait
 before, s.
 */
float waitRobotOne(void);

/*
 A number by its name; for data, how many elements they have: `getData` and `getDataFloat` have
 them.

 `name` is null or a string.
 */
float get(const char *name);

/*
 Sets a number by its name; gives it back.

 `name` is null or a string.
 */
float set(const char *name, float value);

/*
 The data of the last `get`; valid until the next one.
 */
char *getData(void);

/*
 The data of the last `get` as numbers; valid until the next one.
 */
float *getDataFloat(void);

/*
 Sets so many bytes by their name.

 `name` is null or a string, `data` null or so many bytes.
 */
float setData(const char *name, int size, char *data);

/*
 Sets so many numbers by their name.

 `name` is null or a string, `data` null or so many numbers.
 */
float setDataFloat(const char *name, int size, float *data);

/*
 Makes room for so many readings; what was there before is freed.

 `lidarData` is null, all zero, or was used with this library before.
 */
void initLidar(LidarData *lidarData, int size);

/*
 Reads the lidar; how many readings there are, 0 if it failed.

 `lidarData` is null, all zero, or was used with this library before.
 */
int readLidar(LidarData *lidarData);

/*
 Makes room for a picture; what was there before is freed.

 `cameraData` is null, all zero, or was used with this library before.
 */
void initCamera(CameraData *cameraData);

/*
 Takes a picture; how many bytes it has, 0 if it failed.

 `cameraData` is null, or was used with `initCamera`.
 */
int captureCamera(CameraData *cameraData);

/*
 True x, y (m) and heading (rad).

 `pose` is null or can be written to.
 */
void getPose(Value3 *pose);

/*
 Puts the robot elsewhere.

 `pose` is null or can be read.
 */
void setPose(Value3 *pose);

/*
 Where the robot believes to be: x, y (m) and heading (rad).

 `pose` is null or can be written to.
 */
void getOdometry(Value3 *pose);

/*
 Makes the robot believe to be elsewhere, where the other side has that.

 `pose` is null or can be read.
 */
void setOdometry(Value3 *pose);

/*
 Error of the executed motion, m and rad a cycle.

 `odometryStd` is null or can be written to.
 */
void getOdometryStd(Value2 *odometryStd);

/*
 Sets the error of the executed motion.

 `odometryStd` is null or can be read.
 */
void setOdometryStd(Value2 *odometryStd);

/*
 Measured x, y (m) and heading (rad).

 `gps` is null or can be written to.
 */
void getGPS(Value3 *gps);

/*
 Errors of GPS and compass, m, m, rad.

 `gpsStd` is null or can be written to.
 */
void getGPSStd(Value3 *gpsStd);

/*
 Sets the errors of GPS and compass.

 `gpsStd` is null or can be read.
 */
void setGPSStd(Value3 *gpsStd);

/*
 Commanded speed, m/s and rad/s.

 `velocity` is null or can be written to.
 */
void getVelocity(Value2 *velocity);

/*
 Drives with m/s and rad/s.

 `velocity` is null or can be read.
 */
void setVelocity(Value2 *velocity);

/*
 Speeds of the left and the right wheel, rad/s.

 `wheels` is null or can be written to.
 */
void getWheels(Value2 *wheels);

/*
 Turns the left and the right wheel; obeyed under low-level control.

 `wheels` is null or can be read.
 */
void setWheels(Value2 *wheels);

/*
 Whether wheels are commanded, rather than the robot's velocity.
 */
bool getLowLevelControl(void);

/*
 Commands wheels, or the robot's velocity.
 */
void setLowLevelControl(bool enabled);

/*
 Whether true path and believed path are drawn.
 */
bool getTrace(void);

/*
 Draws true path and believed path.
 */
void setTrace(bool enabled);

/*
 Whether people may drive while this program is connected.
 */
bool getManualController(void);

/*
 Lets people drive while this program is connected.
 */
void setManualController(bool enabled);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ROBOT_ONE_H_ */
