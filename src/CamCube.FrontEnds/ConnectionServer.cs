using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Loop;
using CamCube.FrontEnds.Pool;
using CamCube.FrontEnds.Protocols;
using CamCube.FrontEnds.Settings;
using CamCube.FrontEnds.Tls;

namespace CamCube.FrontEnds;

/// <summary>
/// The connections of one front end: listens, accepts, limits, agrees on TLS, hands bytes to a protocol and sends what
/// it answers. Clients are served in the server's own loop where that can wait for sockets (Linux), on pool threads
/// elsewhere; a server without clients is a listening socket and nothing else. Members are called one at a time, as
/// <see cref="IFrontEnd"/>'s, except where said otherwise.
/// </summary>
/// <typeparam name="TService">The service that clients are served with.</typeparam>
/// <param name="terms">What the front end says of itself.</param>
public sealed class ConnectionServer<TService>(ConnectionTerms<TService> terms) : IAsyncDisposable
    where TService : class
{
    private IReadOnlyList<IListener> _listeners = [];
    private PoolSweeper? _sweeper;

    /// <summary>What it counts. Any thread.</summary>
    public ConnectionCounters Counters { get; } = new();

    /// <summary>Who is connected. Any thread.</summary>
    public ConnectionList Connections { get; } = new();

    /// <summary>What clients of TLS agree on; null before the first start, and where nobody speaks it.</summary>
    public TlsServer? Tls { get; private set; }

    /// <summary>The first TCP port it listens on, also where the system chose it; 0 while there is none.</summary>
    public int Port { get; private set; }

    /// <summary>Whether clients are served in the server's loop.</summary>
    public bool IsInLoop { get; private set; }

    internal IReadOnlyList<IListener> Listeners => _listeners;

    /// <summary>Whether it listens.</summary>
    public bool IsRunning => _listeners.Count > 0;

    /// <summary>Listens, and serves from then on.</summary>
    /// <param name="endpoint">Where, beside what the options say.</param>
    /// <exception cref="FrontEndException">It cannot; the message is one line for people.</exception>
    /// <exception cref="InvalidOperationException">It does already.</exception>
    public void Start(FrontEndEndpoint endpoint)
    {
        if (IsRunning)
        {
            throw new InvalidOperationException($"The {terms.Name} front end is running.");
        }

        ConnectionOptions options = terms.Options;
        Tls = options.Tls ? new TlsServer(options, terms.Time) : null;
        var context = new ListenerContext(
            terms.Name,
            options,
            Counters,
            Connections,
            endpoint,
            terms.Logger,
            terms.Time
        )
        {
            Tls = Tls,
            Refusal = terms.Refusal,
            MaxUnread = terms.MaxUnread,
        };
        IReadOnlyList<OpenPort> ports = ListeningSocket.OpenAll(context);
        Connections.Listen(ports.Select(port => ListeningSocket.Describe(port.Socket)));
        Port = ListeningSocket.PortOf(ports);
        _sweeper = new PoolSweeper(context);
        _listeners = Serve(ports, context, _sweeper);
    }

    /// <summary>Accepts nobody new and lets clients end; returns when they have, or when cancelled.</summary>
    public async ValueTask DrainAsync(CancellationToken cancel)
    {
        try
        {
            await CloseListenersAsync().WaitAsync(cancel).ConfigureAwait(false);
            foreach (IConnection connection in Connections.ToArray())
            {
                connection.Drain();
            }

            while (Connections.Count > 0)
            {
                await Connections.WaitForAnEnd().WaitAsync(cancel).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (cancel.IsCancellationRequested)
        {
            // Returns with clients left, or with a loop that does not turn; StopAsync closes them.
        }
    }

    /// <summary>Closes what is still open. Afterwards it may be started again.</summary>
    public async ValueTask StopAsync()
    {
        await CloseListenersAsync().ConfigureAwait(false);
        foreach (IConnection connection in Connections.ToArray())
        {
            connection.Abort();
        }

        _sweeper?.Dispose();
    }

    /// <summary>As <see cref="StopAsync"/>.</summary>
    public ValueTask DisposeAsync() => StopAsync();

    private async Task CloseListenersAsync()
    {
        IReadOnlyList<IListener> listeners = _listeners;
        (_listeners, Port, IsInLoop) = ([], 0, false);
        Connections.Listen([]);
        foreach (IListener listener in listeners)
        {
            await listener.CloseAsync().ConfigureAwait(false);
        }
    }

    private IReadOnlyList<IListener> Serve(IReadOnlyList<OpenPort> ports, ListenerContext context, PoolSweeper sweeper)
    {
        IReadOnlyList<IListener>? loops = OperatingSystem.IsLinux()
            ? LoopListener<TService>.TryServe(terms, ports, context)
            : null;
        IsInLoop = loops is not null;
        return loops ?? [.. ports.Select(port => new PoolListener(port, context, Create, sweeper))];
    }

    private ServedProtocol Create(IQuestionOwner owner)
    {
        var output = new ReplyBuffer(mostLength: terms.MaxAnswer);
        var turn = new ServiceTurn<TService>(isInLoop: false, isWhole: false, int.MaxValue, output);
        return new ServedProtocol(terms.Protocol(turn, owner), turn);
    }
}
