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
        Socket socket = Make(name);
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

    private static Socket Make(string name)
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
                    socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                }
                else
                {
                    fault = Marshal.GetLastPInvokeErrorMessage();
                }
            }
            catch (IOException e)
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
