/* librolima_client: whole frames of a simulator's overhead cameras.
 *
 * Written by cbindgen; do not edit. */

#ifndef ROLIMA_CLIENT_H_
#define ROLIMA_CLIENT_H_

#include <stdint.h>

/*
 What `rolima_camera_next` gives.
 */
typedef enum {
  /*
   Nothing came in time.
   */
  ROLIMA_CAMERA_EVENT_NOTHING = 0,
  /*
   A frame.
   */
  ROLIMA_CAMERA_EVENT_FRAME = 1,
  /*
   In lock step the world waits for `rolima_camera_done`.
   */
  ROLIMA_CAMERA_EVENT_TURN = 2,
  /*
   The run is over.
   */
  ROLIMA_CAMERA_EVENT_END = 3,
  /*
   The connection is lost, or the call makes no sense; `rolima_camera_error` says more. Close the handle.
   */
  ROLIMA_CAMERA_EVENT_FAILED = 4,
} RolimaCameraEvent;

/*
 What frames come by.
 */
typedef enum {
  /*
   A stream.
   */
  ROLIMA_TRANSPORT_TCP = 0,
  /*
   Datagrams.
   */
  ROLIMA_TRANSPORT_UDP = 1,
} RolimaTransport;

/*
 A camera.
 */
typedef struct RolimaCamera RolimaCamera;

/*
 A frame, or a turn.
 */
typedef struct {
  /*
   Red, green, blue of each pixel, top row first; null of a turn.
   */
  const uint8_t *rgb;
  /*
   Columns.
   */
  uint32_t width;
  /*
   Rows.
   */
  uint32_t height;
  /*
   Counts the camera's pictures, from 1, those that are lost included.
   */
  uint64_t number;
  /*
   Steps of the world when it was taken; of a turn the step that the world waits at.
   */
  uint64_t step;
  /*
   Simulated time when it was taken, s.
   */
  double time_s;
} RolimaCameraFrame;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 What went wrong last in this thread. Valid until the next call of this thread.
 */
const char *rolima_camera_error(void);

/*
 Connects to a camera at "HOST:PORT", with its token or null, within so many seconds. `transport` is one of
 `RolimaTransport`. With `lock_step` other than 0
 the world waits for `rolima_camera_done` at every frame. Null where that fails.


 `address` and `token` are null or texts that end with a zero.
 */
RolimaCamera *rolima_camera_open(const char *address,
                                 const char *token,
                                 int transport,
                                 int lock_step,
                                 double patience_s);

/*
 Waits so many seconds at most for a frame, a turn or the end of the run.


 `camera` is null or an open handle, `out` null or room for a frame.
 */
RolimaCameraEvent rolima_camera_next(RolimaCamera *camera,
                                     double longest_s,
                                     RolimaCameraFrame *out);

/*
 In lock step: the world may leave the step of a turn. 0 where that could be said.


 `camera` is null or an open handle.
 */
int rolima_camera_done(RolimaCamera *camera, uint64_t step);

/*
 Ends a connection; nothing happens with null.


 `camera` is null or an open handle, which is none any more then.
 */
void rolima_camera_close(RolimaCamera *camera);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ROLIMA_CLIENT_H_ */
