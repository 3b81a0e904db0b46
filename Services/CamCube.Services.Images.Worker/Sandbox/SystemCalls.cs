using System.Runtime.InteropServices;

namespace CamCube.Services.Images.Worker.Sandbox;

/// <summary>The system calls of the sandbox. Each answers −1 and sets the error number when it fails.</summary>
internal static unsafe partial class SystemCalls
{
    private const string Libc = "libc";

    [LibraryImport(Libc, EntryPoint = "syscall", SetLastError = true)]
    public static partial nint Call(nint number, nint one, nint two, nint three, nint four);

    [LibraryImport(Libc, EntryPoint = "prctl", SetLastError = true)]
    public static partial int Control(int option, nuint one, nuint two, nuint three, nuint four);

    [LibraryImport(Libc, EntryPoint = "setrlimit", SetLastError = true)]
    public static partial int SetLimit(int resource, ulong* limit);

    [LibraryImport(Libc, EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags, int mode);

    [LibraryImport(Libc, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport(Libc, EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int descriptor, byte* bytes, nint length);

    [LibraryImport(Libc, EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int descriptor, byte* bytes, nint length);

    [LibraryImport(Libc, EntryPoint = "execve", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Execute(string program, byte** arguments, byte** environment);

    [LibraryImport(Libc, EntryPoint = "fork", SetLastError = true)]
    public static partial int Fork();

    [LibraryImport(Libc, EntryPoint = "getppid")]
    public static partial int Parent();

    [LibraryImport(Libc, EntryPoint = "kill", SetLastError = true)]
    public static partial int Kill(int id, int signal);
}
