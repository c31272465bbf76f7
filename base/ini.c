/* placeholder: being written */ typedef int winnow_placeholder;
