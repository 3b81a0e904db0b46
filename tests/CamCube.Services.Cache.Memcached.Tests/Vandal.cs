using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>
/// A client that sends what no client should: requests of the corpus and the transcripts, of all protocols in one
/// connection, damaged and cut anywhere, and that ends as it likes. What it sends and how follows from its seed.
/// </summary>
internal sealed class Vandal
{
    private const int MostBytes = 48 << 10;
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);

    private static readonly string[] Requests =
    [
        .. Corpus.Files.Select(Corpus.Read),
        .. Transcripts.All.Concat(MetaTranscripts.All).Concat(BinaryTranscripts.All).Select(one => one.Request),
    ];

    private readonly Random _random;
    private readonly byte[] _script;

    public Vandal(int seed)
    {
        _random = new Random(seed);
        var text = new StringBuilder();
        for (int left = _random.Next(1, 6); left > 0 && text.Length < MostBytes; left--)
        {
            text.Append(Requests[_random.Next(Requests.Length)]);
        }

        byte[] bytes = Encoding.Latin1.GetBytes(text.ToString());
        for (int left = _random.Next(0, 6); left > 0; left--)
        {
            bytes = Damage(bytes);
        }

        _script = bytes;
    }

    private enum Ending
    {
        /// <summary>Says that it sends no more and reads until the server closes.</summary>
        InOrder,

        /// <summary>Goes without a word, in the middle of whatever it was.</summary>
        Gone,

        /// <summary>As before, after a reset.</summary>
        Reset,

        /// <summary>Has read nothing.</summary>
        Deaf,
    }

    /// <summary>Does it all. Fails if a server does not end a connection whose other side has ended.</summary>
    public async Task RunAsync(int port)
    {
        var ending = (Ending)_random.Next(4);
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
        };
        await socket.ConnectAsync(IPAddress.Loopback, port).WaitAsync(TimeOut);
        if (ending == Ending.Deaf)
        {
            // What the server takes; it stops when nobody reads its answers.
            socket.Blocking = false;
            Pieces()
                .TakeWhile(piece =>
                    socket.Send(piece.Span, SocketFlags.None, out SocketError error) >= 0
                    && error == SocketError.Success
                )
                .Count();
            return;
        }

        Task reading = ReadToEndAsync(socket);
        int least = ending == Ending.InOrder ? int.MaxValue : _random.Next(_script.Length + 1);
        try
        {
            foreach (ReadOnlyMemory<byte> piece in Pieces())
            {
                await socket.SendAsync(piece).AsTask().WaitAsync(TimeOut);
                if ((least -= piece.Length) <= 0)
                {
                    break;
                }
            }

            if (ending == Ending.Reset)
            {
                socket.LingerState = new LingerOption(true, 0);
            }

            if (ending == Ending.InOrder)
            {
                socket.Shutdown(SocketShutdown.Send);
            }
        }
        catch (SocketException)
        {
            // The server had enough of it.
        }

        if (ending == Ending.InOrder)
        {
            await reading.WaitAsync(TimeOut);
        }
    }

    private static async Task ReadToEndAsync(Socket socket)
    {
        byte[] buffer = new byte[16 << 10];
        try
        {
            while (await socket.ReceiveAsync(buffer) > 0)
            {
                // What is said to a vandal does not matter.
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The end, too.
        }
    }

    private IEnumerable<ReadOnlyMemory<byte>> Pieces()
    {
        // Some send letter by letter, others all at once.
        int most = _random.Next(4) switch
        {
            0 => 3,
            1 => 40,
            2 => 1500,
            _ => MostBytes,
        };
        for (int start = 0; start < _script.Length; )
        {
            int length = Math.Min(_random.Next(1, most + 1), _script.Length - start);
            yield return _script.AsMemory(start, length);
            start += length;
        }
    }

    private byte[] Damage(byte[] bytes)
    {
        if (bytes.Length == 0)
        {
            return bytes;
        }

        int at = _random.Next(bytes.Length),
            length = Math.Min(_random.Next(1, 64), bytes.Length - at);
        switch (_random.Next(6))
        {
            case 0:
                bytes[at] ^= (byte)(1 << _random.Next(8));
                return bytes;
            case 1:
                _random.NextBytes(bytes.AsSpan(at, length));
                return bytes;
            case 2:
                return [.. bytes.AsSpan(0, at), .. bytes.AsSpan(at + length)];
            case 3:
                return [.. bytes.AsSpan(0, at + length), .. bytes.AsSpan(at)];
            case 4:
                return bytes[..at];
            default:
                byte[] odd = Encoding.Latin1.GetBytes(
                    _random.Next(5) switch
                    {
                        0 => "\u0080\u0001",
                        1 => "\r\n",
                        2 => "set k 0 0 4294967295\r\n",
                        3 => "\0\0\0\0",
                        _ => "mg k v\r\n",
                    }
                );
                return [.. bytes.AsSpan(0, at), .. odd, .. bytes.AsSpan(at)];
        }
    }
}
