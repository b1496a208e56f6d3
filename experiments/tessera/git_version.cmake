# cmake -D SOURCE=DIR -D OUTPUT=FILE -P git_version.cmake: writes a header that tells the state of the sources. Run by
# every build; the file changes only when the state does.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git describe --always --dirty --abbrev=12 WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT version)
    set(version unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define TESSERA_GIT_VERSION \"@version@\"\n" @ONLY)
