using System.Net.Sockets;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests.Differential;

/// <summary>One connection to one of two servers that are compared.</summary>
internal sealed class BytePeer(Socket socket, string name) : IDisposable
{
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(30);

    private readonly byte[] _buffer = new byte[64 << 10];
    private readonly List<byte> _received = [];

    /// <summary>Whether enough has come.</summary>
    public delegate bool IsEnough(ReadOnlySpan<byte> bytes);

    public async Task SendAsync(ReadOnlyMemory<byte> bytes)
    {
        // The other side may close before it has taken all: what it said before is what is compared.
        try
        {
            while (!bytes.IsEmpty)
            {
                bytes = bytes[await socket.SendAsync(bytes).AsTask().WaitAsync(TimeOut)..];
            }
        }
        catch (SocketException) { }
    }

    public void EndOutput() => socket.Shutdown(SocketShutdown.Send);

    /// <summary>Receives until there is enough, or the other side closes; gives what came.</summary>
    public async Task<byte[]> ReceiveUntilAsync(IsEnough isEnough)
    {
        _received.Clear();
        while (!isEnough(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_received)))
        {
            int count = await ReceiveAsync();
            if (count == 0)
            {
                break;
            }

            _received.AddRange(_buffer.AsSpan(0, count));
        }

        return [.. _received];
    }

    public void Dispose() => socket.Dispose();

    private async Task<int> ReceiveAsync()
    {
        try
        {
            return await socket.ReceiveAsync(_buffer.AsMemory()).AsTask().WaitAsync(TimeOut);
        }
        catch (SocketException)
        {
            // Reset: it closed with something unread.
            return 0;
        }
        catch (TimeoutException)
        {
            throw new TimeoutException(
                $"Nothing more came from {name} after '{Encoding.Latin1.GetString([.. _received])}'."
            );
        }
    }
}
