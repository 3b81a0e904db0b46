using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Loads.Resp;

/// <summary>A connection to a server that speaks Redis: commands in one go, and their answers in order. One caller at a
/// time. After any failure it is of no more use.</summary>
public sealed class RespClient : IDisposable
{
    private readonly Socket _socket;
    private readonly RespBuffer _out = new(1 << 10);
    private readonly RespBuffer _in = new(4 << 10);

    private RespClient(Socket socket) => _socket = socket;

    /// <summary>Connects.</summary>
    /// <param name="endpoint">The server.</param>
    /// <param name="cancel">No longer.</param>
    /// <param name="socket">A socket, from now on the client's, as one in another network namespace; null: an ordinary
    /// one.</param>
    /// <exception cref="RespException">Nobody answers there, or not in time.</exception>
    public static async Task<RespClient> ConnectAsync(
        EndPoint endpoint,
        CancellationToken cancel,
        Socket? socket = null
    )
    {
        socket ??= new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.NoDelay = true;
            await socket.ConnectAsync(endpoint, cancel).ConfigureAwait(false);
            return new RespClient(socket);
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            socket.Dispose();
            string why = e is SocketException ? e.Message : "not in time";
            throw new RespException($"{endpoint} cannot be connected to: {why}.", wasSent: false, e);
        }
    }

    /// <summary>Says who it is, and chooses a table.</summary>
    /// <param name="login">Who; null: nobody.</param>
    /// <param name="table">The table; 0 is not said.</param>
    /// <param name="cancel">No longer.</param>
    /// <returns>Null, or the error that it was told.</returns>
    /// <exception cref="RespException">There was no answer.</exception>
    public async Task<RespValue?> GreetAsync(RespLogin? login, int table, CancellationToken cancel)
    {
        List<IReadOnlyList<string>> all = login is null ? [] : [login.Words];
        all.AddRange(
            table == 0
                ? []
                :
                [
                    ["SELECT", $"{table}"],
                ]
        );
        foreach (IReadOnlyList<string> words in all)
        {
            RespValue answer = await AskAsync(cancel, words).ConfigureAwait(false);
            if (answer.Kind == RespKind.Error)
            {
                return answer;
            }
        }

        return null;
    }

    /// <summary>Asks, and waits for the answer.</summary>
    /// <param name="cancel">No longer.</param>
    /// <param name="words">The command, in UTF-8.</param>
    /// <exception cref="RespException">There was none.</exception>
    public async Task<RespValue> AskAsync(CancellationToken cancel, params IReadOnlyList<string> words) =>
        (
            await AskAllAsync(
                    [
                        [.. words.Select(Encoding.UTF8.GetBytes)],
                    ],
                    cancel
                )
                .ConfigureAwait(false)
        )[0];

    /// <summary>Asks several things in one go, and waits for all answers.</summary>
    /// <param name="commands">Commands, each of some words.</param>
    /// <param name="cancel">No longer.</param>
    /// <returns>An answer for each.</returns>
    /// <exception cref="RespException">There was not one for each.</exception>
    public async Task<IReadOnlyList<RespValue>> AskAllAsync(
        IReadOnlyList<IReadOnlyList<byte[]>> commands,
        CancellationToken cancel
    )
    {
        foreach (IReadOnlyList<byte[]> words in commands)
        {
            _out.Command(words.Count);
            foreach (byte[] word in words)
            {
                _out.Word(word);
            }
        }

        try
        {
            while (_out.Count > 0)
            {
                _out.Take(await _socket.SendAsync(_out.HeldMemory, SocketFlags.None, cancel).ConfigureAwait(false));
            }

            List<RespValue> answers = new(commands.Count);
            while (answers.Count < commands.Count)
            {
                RespOutcome outcome = RespReader.TryRead(_in.Held, out RespHead head);
                if (outcome == RespOutcome.Taken)
                {
                    answers.Add(RespValue.Of(_in.Held, head));
                    _in.Take(head.Taken);
                    continue;
                }

                if (outcome == RespOutcome.Breach)
                {
                    throw new RespException($"{_socket.RemoteEndPoint} does not speak Redis' protocol.", true);
                }

                int count = await _socket
                    .ReceiveAsync(_in.Room(4 << 10), SocketFlags.None, cancel)
                    .ConfigureAwait(false);
                _in.Fill(count);
                if (count == 0)
                {
                    throw new RespException("the connection was closed before there was an answer.", true);
                }
            }

            return answers;
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException or ObjectDisposedException)
        {
            throw new RespException(e is SocketException ? e.Message : "no answer in time.", true, e);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();
}
