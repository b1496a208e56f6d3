// What of libGLX a program calls to end a picture, with a count of the calls.
#include <cstring>

extern "C" {

int pictures = 0;

void glXSwapBuffers(void* /*display*/, unsigned long /*drawable*/) {
    ++pictures;
}

void* glXGetProcAddressARB(const unsigned char* name) {
    const char* text = reinterpret_cast<const char*>(name);
    if (std::strcmp(text, "glXSwapBuffers") == 0) return reinterpret_cast<void*>(&glXSwapBuffers);
    return std::strcmp(text, "pictures") == 0 ? &pictures : nullptr;
}

}  // extern "C"
