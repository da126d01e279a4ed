// device_math.cuh: functions of float that a device has in hardware or close to it; host_math.h is the host's.
DEV float float_exp(float x) { return expf(x); }
DEV float float_sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
DEV float float_tanh(float x) { return tanhf(x); }
DEV float float_erf(float x) { return erff(x); }
