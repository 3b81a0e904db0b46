using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Testbed;

/// <summary>
/// Network namespaces that have a name under /run/netns, as <c>ip netns</c> makes them. A thread enters one and ends in
/// it, so no other code of this process is ever inside.
/// </summary>
public static partial class NetworkNamespace
{
    private const int NewNetwork = 0x4000_0000;

    /// <summary>Whether a name is taken, by whatever.</summary>
    public static bool Exists(string name) => File.Exists(PathOf(name));

    /// <summary>Who a namespace is, or null if there is none of this name. Names can be reused, this cannot while the
    /// machine runs: <c>net:[4026532301] 4711</c>, the kernel's name and its cookie (Linux 5.14 and later).</summary>
    public static string? IdentityOf(string name)
    {
        if (!Exists(name))
        {
            return null;
        }

        try
        {
            return InsideFile(PathOf(name), Identity);
        }
        catch (IOException)
        {
            // A file that is no namespace: somebody else's, or deleted just now.
            return Exists(name) ? "?" : null;
        }
    }

    /// <summary>Who the namespace of a process is, or null if the process has ended.</summary>
    public static string? IdentityOfProcess(int process)
    {
        try
        {
            return InsideFile($"/proc/{process}/ns/net", Identity);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Whether an identity is of one namespace only, for as long as the machine runs.</summary>
    public static bool IsUnique(string identity) => identity.Contains(' ', StringComparison.Ordinal);

    /// <summary>The kernel's name in an identity.</summary>
    public static string KernelName(string identity) => identity.Split(' ')[0];

    /// <summary>Runs code on a thread in a namespace and waits for it. Sockets that it makes stay there.</summary>
    /// <exception cref="IOException">The namespace cannot be entered.</exception>
    public static T Inside<T>(string name, Func<T> work) => InsideFile(PathOf(name), work);

    /// <summary>Runs code on a thread in a new namespace, which lasts as long as something holds it.</summary>
    /// <exception cref="TestbedException">Not permitted.</exception>
    public static T InNew<T>(Func<T> work) =>
        OnThread(() =>
            Unshare(NewNetwork) == 0
                ? work()
                : throw new TestbedException(
                    $"a network namespace cannot be made: {Marshal.GetLastPInvokeErrorMessage()}."
                )
        );

    /// <summary>Who the namespace of the calling thread is.</summary>
    public static string Identity()
    {
        const int SocketLevel = 1,
            NamespaceCookie = 71;
        string name = ProcessFiles.LinkTarget("/proc/thread-self/ns/net") ?? "?";
        using var socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        Span<byte> cookie = stackalloc byte[8];
        try
        {
            int length = socket.GetRawSocketOption(SocketLevel, NamespaceCookie, cookie);
            return $"{name} {BitConverter.ToUInt64(cookie[..length])}";
        }
        catch (SocketException)
        {
            return name;
        }
    }

    /// <summary>The kernel's number of the calling thread.</summary>
    [LibraryImport("libc", EntryPoint = "gettid")]
    public static partial int ThreadId();

    private static string PathOf(string name) => "/run/netns/" + name;

    private static T InsideFile<T>(string path, Func<T> work)
    {
        using SafeFileHandle file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        return OnThread(() =>
            SetNamespace(file, NewNetwork) == 0
                ? work()
                : throw new IOException($"{path}: {Marshal.GetLastPInvokeErrorMessage()}.")
        );
    }

    private static T OnThread<T>(Func<T> work)
    {
        T? result = default;
        Exception? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                result = work();
            }
            catch (Exception e)
            {
                failure = e;
            }
        })
        {
            IsBackground = true,
            Name = "camcube-namespace",
        };
        thread.Start();
        thread.Join();
        if (failure is not null)
        {
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);
        }

        return result!;
    }

    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    private static partial int SetNamespace(SafeFileHandle file, int kind);

    [LibraryImport("libc", EntryPoint = "unshare", SetLastError = true)]
    private static partial int Unshare(int kinds);
}
