using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CamCube.SystemTests.Cables;

/// <summary>Connections inside a network namespace: a socket belongs to the one in which it was made, by a thread that went there.</summary>
internal static partial class NamespaceSocket
{
    private const int NetworkNamespace = 0x4000_0000;

    /// <summary>Connects to a port of 127.0.0.1 in a namespace.</summary>
    public static async Task<Socket> ConnectAsync(string name, int port, CancellationToken cancel = default)
    {
        Socket socket = Make(
            name, static () => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true });
        try
        {
            await socket.ConnectAsync(IPAddress.Loopback, port, cancel);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>A socket that belongs to a namespace.</summary>
    public static Socket Make(string name, Func<Socket> make)
    {
        Socket? socket = null;
        string? fault = null;
        var thread = new Thread(() =>
        {
            try
            {
                using SafeFileHandle file = File.OpenHandle($"/run/netns/{name}", share: FileShare.ReadWrite | FileShare.Delete);
                if (SetNamespace(file, NetworkNamespace) == 0)
                {
                    socket = make();
                }
                else
                {
                    fault = Marshal.GetLastPInvokeErrorMessage();
                }
            }
            catch (Exception e) when (e is IOException or SocketException)
            {
                fault = e.Message;
            }
        });
        thread.Start();
        thread.Join();
        return socket ?? throw new IOException($"namespace {name}: {fault}");
    }

    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    private static partial int SetNamespace(SafeFileHandle file, int kind);
}
