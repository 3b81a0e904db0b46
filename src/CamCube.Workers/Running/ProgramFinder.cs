using System.Runtime.Versioning;
using System.Text;

namespace CamCube.Workers;

/// <summary>Finds what a command line names, and says in words what would be an error number, or an exit code of 127,
/// later.</summary>
[SupportedOSPlatform("linux")]
internal static class ProgramFinder
{
    private const int FirstLine = 256;
    private const string DefaultPath = "/usr/local/bin:/usr/bin:/bin";
    private const UnixFileMode AnyExecute =
        UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute;

    /// <summary>Finds the program.</summary>
    /// <param name="start">What is to be started.</param>
    /// <param name="path">Its whole path.</param>
    /// <returns>Why it cannot be started; null if nothing is known against it.</returns>
    public static string? Find(ProgramStart start, out string path)
    {
        path = "";
        if (start.CommandLine.Count == 0 || start.CommandLine[0].Length == 0)
        {
            return "The command line is empty.";
        }

        if (start.CommandLine.Concat(start.Environment).Any(text => text.Contains('\0')))
        {
            return "A text of the command line or the environment has a byte of 0.";
        }

        if (start.Environment.FirstOrDefault(entry => entry.IndexOf('=') <= 0) is { } wrong)
        {
            return $"'{wrong}' is not an entry of an environment: NAME=value.";
        }

        if (start.Folder is { } folder && !Directory.Exists(folder))
        {
            return $"The working folder {folder} is not there.";
        }

        string name = start.CommandLine[0];
        string own = Path.GetFullPath(start.Folder ?? ".");
        path = Path.GetFullPath(name, own);
        if (!name.Contains('/') && !IsProgram(path))
        {
            string? found = PathOf(start)
                .Split(':')
                .Select(part => Path.GetFullPath(Path.Combine(part, name), own))
                .FirstOrDefault(IsProgram);
            path = found ?? path;
            if (found is null && !File.Exists(path))
            {
                return $"There is no program '{name}', in the working folder or in the PATH {PathOf(start)}.";
            }
        }

        return WhatIsWrong(path);
    }

    private static string PathOf(ProgramStart start) =>
        start.Environment.LastOrDefault(entry => entry.StartsWith("PATH=", StringComparison.Ordinal))?[5..]
        ?? DefaultPath;

    private static bool IsProgram(string path) => File.Exists(path) && (File.GetUnixFileMode(path) & AnyExecute) != 0;

    private static string? WhatIsWrong(string path)
    {
        if (path.Contains('='))
        {
            // env, which starts it, would take it for one more entry.
            return $"The path {path} of a program has a '='.";
        }

        if (Directory.Exists(path))
        {
            return $"{path} is a folder, not a program.";
        }

        if (!File.Exists(path))
        {
            return $"There is no program {path}.";
        }

        if (!IsProgram(path))
        {
            return $"{path} is not executable: chmod +x would make it so.";
        }

        Span<byte> bytes = stackalloc byte[FirstLine];
        try
        {
            // A pipe has a length of 0, too, and opening it would wait for somebody to write to it.
            if (new FileInfo(File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path).Length == 0)
            {
                return $"{path} is empty, or no file.";
            }

            using FileStream file = File.OpenRead(path);
            bytes = bytes[..file.ReadAtLeast(bytes, FirstLine, throwOnEndOfStream: false)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A program that may be run and not read is one all the same.
            return null;
        }

        // Without these a shell would take it for lines of its own, whatever it is.
        return bytes.StartsWith("#!"u8) ? WhatIsWrongWithScript(path, bytes[2..])
            : bytes.StartsWith("\u007fELF"u8) ? null
            : $"{path} is neither a program of this machine nor a script that begins with #!.";
    }

    private static string? WhatIsWrongWithScript(string path, ReadOnlySpan<byte> line)
    {
        int end = line.IndexOf((byte)'\n');
        line = end < 0 ? line : line[..end];
        string text = Encoding.UTF8.GetString(line).Trim(' ', '\t');
        if (text.EndsWith('\r'))
        {
            return $"The first line of {path} ends with a carriage return: lines of scripts end with a line feed only.";
        }

        string interpreter = text.Split(' ', '\t')[0];
        return interpreter.Length == 0 ? $"The first line of {path} names no interpreter."
            : !interpreter.StartsWith('/') || IsProgram(interpreter) ? null
            : $"The interpreter of {path}, {interpreter}, is not there.";
    }
}
