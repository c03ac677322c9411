/* Robot One for Octave and MATLAB: one function of many uses, which the .m files beside it call.
 *
 *   handler = robotone_mex("open", address, dialect)      dialect: 0 thesis, 1 release
 *   robotone_mex("close", handler)
 *   value = robotone_mex("get", handler, name)            a number, or a row of numbers
 *   bytes = robotone_mex("data", handler, name)           a row of uint8
 *   robotone_mex("set", handler, name, value)
 *   robotone_mex("load", handler, name, bytes)            uint8 or text
 *   picture = robotone_mex("capture", handler)            240 x 320 x 3, uint8
 *
 * Handlers are small numbers, as in the released functions. */
#include <stdlib.h>
#include <string.h>

#include "mex.h"
#include "robotOne.h"

enum { MOST = 64, WIDTH = 320, HEIGHT = 240, PICTURE = WIDTH * HEIGHT * 3 };

static RobotOneHandle *handles[MOST];

static void close_all(void) {
    for (int i = 0; i < MOST; i++) {
        robotone_close(handles[i]);
        handles[i] = NULL;
    }
}

/* Ends the call with an error, if it is one. */
static void check(RobotOneStatus status) {
    if (status != ROBOT_ONE_STATUS_DONE) {
        mexErrMsgIdAndTxt("robotone:failed", "%s", robotone_error());
    }
}

/* A string of the other side, cut to the room. */
static void read_text(const mxArray *from, char *text, size_t room, const char *what) {
    if (!mxIsChar(from) || mxGetString(from, text, room) != 0) {
        mexErrMsgIdAndTxt("robotone:argument", "expected %s as text", what);
    }
}

static double read_number(const mxArray *from, const char *what) {
    if ((!mxIsNumeric(from) && !mxIsLogical(from)) || mxGetNumberOfElements(from) != 1) {
        mexErrMsgIdAndTxt("robotone:argument", "expected %s as a number", what);
    }
    return mxGetScalar(from);
}

/* The place of a handler that is open. */
static int read_handler(const mxArray *from) {
    double number = read_number(from, "a handler");
    if (!(number >= 1 && number <= MOST) || handles[(int)number - 1] == NULL) {
        mexErrMsgIdAndTxt("robotone:handler", "not connected: connectRobotOne gives a handler");
    }
    return (int)number - 1;
}

static mxArray *open_handle(const char *address, int dialect) {
    mexAtExit(close_all);
    int place = 0;
    while (place < MOST && handles[place] != NULL) place++;
    if (place == MOST) {
        mexErrMsgIdAndTxt("robotone:handler", "expected at most %d connections", MOST);
    }
    handles[place] = robotone_open(address[0] ? address : NULL, dialect, 0.0);
    if (handles[place] == NULL) {
        mexErrMsgIdAndTxt("robotone:failed", "%s", robotone_error());
    }
    return mxCreateDoubleScalar(place + 1);
}

static mxArray *get_bytes(const RobotOneHandle *handle, const char *name) {
    static uint8_t data[1 << 20];
    size_t count = 0;
    check(robotone_get_data(handle, name, data, sizeof data, &count));
    mxArray *bytes = mxCreateNumericMatrix(1, count, mxUINT8_CLASS, mxREAL);
    memcpy(mxGetData(bytes), data, count);
    return bytes;
}

/* A number; or numbers, if the name has several. */
static mxArray *get_numbers(const RobotOneHandle *handle, const char *name) {
    float floats[4096];
    size_t count = 0;
    check(robotone_get_floats(handle, name, floats, 4096, &count));
    mxArray *numbers = mxCreateDoubleMatrix(1, count, mxREAL);
    for (size_t i = 0; i < count; i++) mxGetPr(numbers)[i] = floats[i];
    return numbers;
}

/* A picture with rows first, as Octave has them. */
static mxArray *capture(const RobotOneHandle *handle) {
    static uint8_t rgb[PICTURE];
    size_t count = 0;
    check(robotone_get_data(handle, "Camera.Capture", rgb, sizeof rgb, &count));
    if (count != PICTURE) {
        mexErrMsgIdAndTxt("robotone:failed", "expected a picture of 320 x 240 pixels");
    }
    mwSize size[3] = {HEIGHT, WIDTH, 3};
    mxArray *picture = mxCreateNumericArray(3, size, mxUINT8_CLASS, mxREAL);
    uint8_t *to = mxGetData(picture);
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++) {
            for (int channel = 0; channel < 3; channel++) {
                to[(channel * WIDTH + column) * HEIGHT + row] = rgb[(row * WIDTH + column) * 3 + channel];
            }
        }
    }
    return picture;
}

static void load(const RobotOneHandle *handle, const char *name, const mxArray *from) {
    size_t count = mxGetNumberOfElements(from);
    if (mxIsUint8(from)) {
        check(robotone_set_data(handle, name, mxGetData(from), count));
        return;
    }
    char *text = mxIsChar(from) ? mxArrayToString(from) : NULL;
    if (text == NULL) {
        mexErrMsgIdAndTxt("robotone:argument", "expected bytes (uint8) or text");
    }
    RobotOneStatus status = robotone_set_data(handle, name, (const uint8_t *)text, strlen(text));
    mxFree(text);
    check(status);
}

void mexFunction(int outputs, mxArray **out, int inputs, const mxArray **in) {
    (void)outputs;
    char what[16] = "", name[256] = "";
    if (inputs < 2) {
        mexErrMsgIdAndTxt("robotone:argument", "use connectRobotOne, pose, velocity, ...");
    }
    read_text(in[0], what, sizeof what, "what to do");
    if (strcmp(what, "open") == 0) {
        read_text(in[1], name, sizeof name, "an address");
        out[0] = open_handle(name, inputs > 2 ? (int)read_number(in[2], "a dialect") : 0);
        return;
    }
    int place = read_handler(in[1]);
    if (strcmp(what, "close") == 0) {
        robotone_close(handles[place]);
        handles[place] = NULL;
        return;
    }
    if (strcmp(what, "capture") == 0) {
        out[0] = capture(handles[place]);
        return;
    }
    if (inputs < 3) mexErrMsgIdAndTxt("robotone:argument", "expected a name");
    read_text(in[2], name, sizeof name, "a name");
    if (strcmp(what, "get") == 0) {
        out[0] = get_numbers(handles[place], name);
    } else if (strcmp(what, "data") == 0) {
        out[0] = get_bytes(handles[place], name);
    } else if (inputs < 4) {
        mexErrMsgIdAndTxt("robotone:argument", "expected a value for %s", name);
    } else if (strcmp(what, "set") == 0) {
        check(robotone_set(handles[place], name, (float)read_number(in[3], "a value")));
    } else if (strcmp(what, "load") == 0) {
        load(handles[place], name, in[3]);
    } else {
        mexErrMsgIdAndTxt("robotone:argument", "cannot %s", what);
    }
}
