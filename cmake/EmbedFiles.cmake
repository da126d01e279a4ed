# Embeds files into a generated source: torchweld_embed_files(target folder patterns...) gives `target` the function
# torchweld::codegen::embedded_file(name), whose names are file names without their folder.

set(EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed_files.cmake)

function(torchweld_embed_files target folder)
  list(TRANSFORM ARGN PREPEND ${folder}/ OUTPUT_VARIABLE patterns)
  file(GLOB files CONFIGURE_DEPENDS ${patterns})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp)
  string(JOIN "," joined ${files})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} "-DFILES=${joined}" -P ${EMBED_SCRIPT}
    DEPENDS ${files} ${EMBED_SCRIPT}
    COMMENT "Embedding the files of ${folder}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
