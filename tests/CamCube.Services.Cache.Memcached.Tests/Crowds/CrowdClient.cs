using System.Globalization;
using CamCube.Services.Cache.Memcached.Tests.Tls;

namespace CamCube.Services.Cache.Memcached.Tests.Crowds;

/// <summary>
/// One client of a crowd: it sends many commands at once, cut anywhere, with bytes out of band between, reads fast or
/// slowly, goes in the middle and comes again with another name. It fails at the first byte that is not an answer to
/// its own commands.
/// </summary>
/// <param name="bed">The front end.</param>
/// <param name="terms">The crowd.</param>
/// <param name="number">The client's number in it.</param>
internal sealed class CrowdClient(LoopBed bed, CrowdTerms terms, int number)
{
    /// <summary>Stands for a byte of an answer that nobody knows before.</summary>
    public const char Any = '\u0100';

    private readonly Random _random = new(unchecked((terms.Seed * 1_000) + number));
    private SocketClient? _client;
    private CrowdScript _script = null!;
    private int _comings;
    private bool _isBinary;
    private bool _isUrgent;
    private bool _isSlow;

    private string Name => string.Create(CultureInfo.InvariantCulture, $"c{number}.{_comings}");

    /// <summary>Works until it has had its rounds or it is over.</summary>
    /// <param name="rounds">Rounds, most.</param>
    /// <param name="over">Ends it.</param>
    public async Task RunAsync(long rounds, CancellationToken over)
    {
        for (long i = 0; i < rounds && !over.IsCancellationRequested; i++)
        {
            if (_client is null)
            {
                await ComeAsync();
            }

            (string request, string reply) = terms.IsStranger(number) ? Strange() : _script.Next(_random.Next(1, 24));
            if (_random.Next(25) == 0)
            {
                await GoAsync(request);
            }
            else
            {
                await AskAsync(request, reply);
            }
        }

        _client?.Dispose();
    }

    // Without having said who it is, it gets nothing, whatever others are allowed.
    private (string Request, string Reply) Strange()
    {
        string command = _random.Next(4) switch
        {
            0 => "mn\r\n",
            1 => "version\r\n",
            2 => $"delete c{_random.Next(terms.Clients)}.1-key-0\r\n",
            _ => $"get c{_random.Next(terms.Clients)}.1-key-0\r\n",
        };
        int count = _random.Next(1, 40);
        return (
            string.Concat(Enumerable.Repeat(command, count)),
            string.Concat(Enumerable.Repeat("CLIENT_ERROR unauthenticated\r\n", count))
        );
    }

    private async Task ComeAsync()
    {
        string leave = _comings == 0 || terms.IsStranger(number) ? "" : _script.Leave();
        _comings++;
        bool hasTls = _random.Next(3) == 0;
        (_isBinary, _isUrgent) = (!terms.HasUsers && _random.Next(4) == 0, _random.Next(3) == 0);
        _isSlow = _random.Next(6) == 0;
        int? receiveBuffer = _isSlow ? 4_096 : null;
        _client = hasTls
            ? await SocketClient.ConnectTlsAsync(bed.FrontEnd.Port, terms.Certificates.ClientTerms(), receiveBuffer)
            : await SocketClient.ConnectAsync(terms.PlainPort, receiveBuffer);
        _script = new CrowdScript(Name, _random, _isBinary);
        if (terms.HasUsers && !terms.IsStranger(number))
        {
            await _client.AskAsync("set x 0 0 7\r\nfoo bar\r\n", "STORED\r\n");
        }

        if (leave.Length > 0 && !_isBinary)
        {
            await _client.AskAsync(leave + "mn\r\n", "MN\r\n");
        }
    }

    private async Task AskAsync(string request, string reply)
    {
        Task<string> receiving = _isSlow ? ReceiveSlowlyAsync(reply.Length) : _client!.ReceiveAsync(reply.Length);
        await SendAsync(request);
        string actual = await receiving;
        for (int i = 0; i < reply.Length; i++)
        {
            if (i >= actual.Length || (reply[i] != Any && reply[i] != actual[i]))
            {
                throw new CrowdException(Name, i, Around(request, 0), Around(reply, i), Around(actual, i));
            }
        }
    }

    private async Task SendAsync(string text)
    {
        int most = _random.Next(6) switch
        {
            0 => 4,
            1 => 30,
            2 => 300,
            _ => 100_000,
        };

        // Once in a round, so that it is read before the next: the system puts a second one's predecessor into the
        // stream.
        bool sendsUrgent = _isUrgent && _random.Next(2) == 0;
        for (int start = 0; start < text.Length; )
        {
            if (sendsUrgent && _random.Next(3) == 0)
            {
                _client!.SendUrgent();
                sendsUrgent = false;
            }

            int length = Math.Min(_random.Next(1, most + 1), text.Length - start);
            await _client!.SendAsync(text.Substring(start, length));
            start += length;
        }
    }

    private async Task<string> ReceiveSlowlyAsync(int length)
    {
        string received = "";
        while (received.Length < length)
        {
            await Task.Yield();
            string piece = await _client!.ReceiveAsync(Math.Min(length - received.Length, _random.Next(1, 9_000)));
            if (piece.Length == 0)
            {
                break;
            }

            received += piece;
        }

        return received;
    }

    // Somewhere in the middle of a request, whose answers nobody reads.
    private async Task GoAsync(string request)
    {
        string begin = request[..Math.Min(_random.Next(request.Length), 10_000)];
        if (begin.Length > 0)
        {
            await _client!.SendAsync(begin);
        }

        if (_random.Next(2) == 0)
        {
            _client!.Reset();
        }

        _client!.Dispose();
        _client = null;
    }

    private static string Around(string text, int at)
    {
        int start = Math.Clamp(at - 60, 0, text.Length);
        return text[start..Math.Min(start + 200, text.Length)];
    }
}
