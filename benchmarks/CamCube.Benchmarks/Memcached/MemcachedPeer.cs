using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Benchmarks.Memcached;

/// <summary>A memcached of its own on a unix socket, to compare with; it ends with this object.</summary>
internal sealed class MemcachedPeer : IDisposable
{
    private readonly MemcachedServer _server;
    private readonly Socket _socket;

    private MemcachedPeer(MemcachedServer server, Socket socket) => (_server, _socket) = (server, socket);

    /// <summary>Bytes of it that are in memory.</summary>
    public long ResidentBytes => _server.ResidentBytes;

    /// <summary>Its items.</summary>
    public long Items
    {
        get
        {
            string stats = Ask("stats\r\n", "END\r\n");
            string line = stats.Split("\r\n").First(l => l.StartsWith("STAT curr_items ", StringComparison.Ordinal));
            return long.Parse(line.Split(' ')[2], CultureInfo.InvariantCulture);
        }
    }

    /// <summary>Starts one with this limit; false if it is not installed.</summary>
    public static bool TryStart(long limitBytes, [NotNullWhen(true)] out MemcachedPeer? peer)
    {
        peer = null;
        if (!MemcachedServer.HasPeer)
        {
            return false;
        }

        var server = MemcachedServer.StartPeer(isUnix: true, megabytes: (int)(limitBytes >> 20));
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        for (int i = 0; !socket.Connected; i++)
        {
            try
            {
                socket.Connect(new UnixDomainSocketEndPoint(server.Address));
            }
            catch (SocketException) when (i < 100)
            {
                Thread.Sleep(20);
            }
        }

        peer = new MemcachedPeer(server, socket);
        return true;
    }

    /// <summary>Stores items under keys of their numbers, and waits until all are there.</summary>
    public void Fill(int items, int length, Func<int, ReadOnlySpan<byte>> keyOf)
    {
        byte[] head = Encoding.ASCII.GetBytes(
            string.Create(CultureInfo.InvariantCulture, $" 0 0 {length} noreply\r\n")
        );
        var batch = new List<byte>();
        byte[] value = [.. new byte[length], .. "\r\n"u8];
        for (int i = 0; i < items; i++)
        {
            batch.AddRange("set "u8);
            batch.AddRange(keyOf(i));
            batch.AddRange(head);
            batch.AddRange(value);
            if (batch.Count > 1 << 16 || i == items - 1)
            {
                SendAll(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(batch));
                batch.Clear();
            }
        }

        Ask("version\r\n", "\r\n");
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _socket.Dispose();
        _server.Dispose();
    }

    private string Ask(string command, string end)
    {
        SendAll(Encoding.ASCII.GetBytes(command));
        var answer = new StringBuilder();
        byte[] buffer = new byte[8_192];
        while (!answer.ToString().EndsWith(end, StringComparison.Ordinal))
        {
            int n = _socket.Receive(buffer);
            if (n == 0)
            {
                throw new EndOfStreamException("memcached ended");
            }

            answer.Append(Encoding.ASCII.GetString(buffer, 0, n));
        }

        return answer.ToString();
    }

    private void SendAll(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            bytes = bytes[_socket.Send(bytes)..];
        }
    }
}
