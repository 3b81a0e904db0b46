using System.Diagnostics.CodeAnalysis;
using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Waiting;

namespace CamCube.Services.Messenger.Endpoints;

/// <summary>An endpoint of this server. See <see cref="IEndpoint"/>.</summary>
internal sealed class LocalEndpoint : IEndpoint
{
    private readonly IEndpointWork _work;
    private readonly Queue<ReceivedMessage> _waiting = new();
    private readonly List<Window> _posted = [];
    private readonly LoopWait<bool> _receiver;
    private readonly LoopWait<bool> _opener;
    private readonly int _buffers,
        _mostWindows;
    private CancellationTokenRegistration _lifetime;

    public LocalEndpoint(
        IServer server,
        IEndpointWork work,
        string name,
        EndpointId id,
        EndpointOptions options,
        EndpointCounts counts,
        int buffers,
        int mostWindows
    )
    {
        (_work, Name, Id, Options, Counts) = (work, name, id, options, counts);
        (_buffers, _mostWindows) = (buffers, mostWindows);
        (_receiver, _opener) = (new LoopWait<bool>(server), new LoopWait<bool>(server));
        Key = id.ToKey();
        State = options.IsStandby ? EndpointState.Standby : EndpointState.Opening;
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public EndpointId Id { get; }

    /// <inheritdoc/>
    public EndpointState State { get; private set; }

    /// <inheritdoc/>
    public uint Term { get; private set; }

    /// <inheritdoc/>
    public int Waiting => _waiting.Count;

    /// <summary>The key whose root keeps the name.</summary>
    public Key Key { get; }

    public EndpointOptions Options { get; }

    /// <summary>How its name is registered: the registrar's.</summary>
    public Registration Registration { get; } = new();

    /// <summary>Token by which an owner may move here; 0: none was given.</summary>
    public ulong MoveToken { get; set; }

    /// <summary>It is moving away.</summary>
    public bool IsMoving { get; set; }

    public EndpointCounts Counts { get; }

    public bool IsOwned => State == EndpointState.Owned;

    /// <summary>Whether it can come to have the name, or has it.</summary>
    public bool IsAlive => State <= EndpointState.Owned;

    /// <summary>Ends with its opener.</summary>
    public void Bind() => _lifetime = Options.Lifetime.UnsafeRegister(static e => ((LocalEndpoint)e!).Dispose(), this);

    /// <summary>The name is its own.</summary>
    public void Own(uint term)
    {
        (State, Term) = (EndpointState.Owned, term);
        _opener.Complete(true);
    }

    /// <summary>It ends: nothing comes any more, and what waits is gone. Once.</summary>
    public void End(EndpointState state)
    {
        if (!IsAlive)
        {
            return;
        }

        EndpointState before = State;
        State = state;
        _lifetime.Unregister();
        _work.OnEnded(this, before);
        while (_waiting.TryDequeue(out ReceivedMessage? message))
        {
            message.Release();
        }

        foreach (Window window in _posted)
        {
            window.TryMove(WindowState.Posted, WindowState.Free);
        }

        _posted.Clear();
        Counts.Windows.Set(0);
        _opener.Complete(false);
        _receiver.Complete(false);
    }

    /// <summary>Whether there is room for one message more; if not, it is counted as dropped.</summary>
    public bool HasRoom()
    {
        if (_waiting.Count < _buffers)
        {
            return true;
        }

        Counts.Dropped.Add();
        return false;
    }

    /// <summary>A message is here, and there was room.</summary>
    public void Receive(ReceivedMessage message)
    {
        Counts.Received.Add();
        _waiting.Enqueue(message);
        _receiver.Complete(true);
    }

    /// <summary>Takes the packet of the short message that has waited longest, to send it on; long ones go.</summary>
    public bool TryTakeWaiting([NotNullWhen(true)] out Packet? packet)
    {
        packet = null;
        while (packet is null && _waiting.TryDequeue(out ReceivedMessage? message))
        {
            packet = message.TakePacket();
        }

        return packet is not null;
    }

    /// <summary>Takes the first posted window that is large enough: it is being filled now.</summary>
    public Window? TakeWindow(int length)
    {
        for (int i = 0; i < _posted.Count; i++)
        {
            Window window = _posted[i];
            if (window.Length >= length)
            {
                _posted.RemoveAt(i);
                Counts.Windows.Set(_posted.Count);
                window.TryMove(WindowState.Posted, WindowState.Filling);
                return window;
            }
        }

        return null;
    }

    /// <inheritdoc/>
    public ValueTask<bool> OwnedAsync() =>
        State > EndpointState.Standby ? new ValueTask<bool>(IsOwned) : _opener.Start();

    /// <inheritdoc/>
    public SendStatus TrySend(EndpointId to, ushort method, ReadOnlySpan<byte> bytes) =>
        _work.Send(this, to, method, bytes);

    /// <inheritdoc/>
    public SendStatus TrySend(EndpointId to, ushort method, ReadOnlySpan<ReadOnlyMemory<byte>> items) =>
        _work.Send(this, to, method, items);

    /// <inheritdoc/>
    public bool TryReceive([NotNullWhen(true)] out Message? message)
    {
        bool found = _waiting.TryDequeue(out ReceivedMessage? first);
        message = first;
        return found;
    }

    /// <inheritdoc/>
    public ValueTask<bool> WaitAsync() =>
        _waiting.Count > 0 ? new ValueTask<bool>(true)
        : IsAlive ? _receiver.Start()
        : new ValueTask<bool>(false);

    /// <inheritdoc/>
    public void Interrupt() => _receiver.Complete(false);

    /// <inheritdoc/>
    public ValueTask<CallAnswer> CallAsync(
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel = default
    ) => _work.CallAsync(this, to, method, items, default, deadline, cancel);

    /// <inheritdoc/>
    public ValueTask<CallAnswer> CallAsync(
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        ReadOnlySpan<Window> returns,
        TimeSpan deadline,
        CancellationToken cancel = default
    ) => _work.CallAsync(this, to, method, items, returns, deadline, cancel);

    /// <inheritdoc/>
    public SendStatus TryAnswer(Message call, ushort method, ReadOnlySpan<byte> bytes) =>
        _work.Answer(this, Own(call), method, bytes);

    /// <inheritdoc/>
    public SendStatus TryAnswer(Message call, ushort method, ReadOnlySpan<ReadOnlyMemory<byte>> items) =>
        _work.Answer(this, Own(call), method, items);

    /// <inheritdoc/>
    public ValueTask<LongDelivery> AnswerAsync(
        Message call,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel = default
    ) => _work.AnswerLongAsync(this, Own(call), method, items, deadline, cancel);

    /// <inheritdoc/>
    public ValueTask<LongDelivery> SendAsync(
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel = default
    ) => _work.SendLongAsync(this, to, method, items, deadline, cancel);

    /// <inheritdoc/>
    public WindowPost PostWindow(Window window)
    {
        ArgumentNullException.ThrowIfNull(window);
        if (!IsAlive)
        {
            return WindowPost.Closed;
        }

        if (window.Length == 0)
        {
            return WindowPost.Empty;
        }

        if (_posted.Count >= _mostWindows)
        {
            return WindowPost.Full;
        }

        if (!window.TryMove(WindowState.Free, WindowState.Posted))
        {
            return WindowPost.NotFree;
        }

        _posted.Add(window);
        Counts.Windows.Set(_posted.Count);
        return WindowPost.Ok;
    }

    /// <inheritdoc/>
    public bool Withdraw(Window window)
    {
        ArgumentNullException.ThrowIfNull(window);
        if (_posted.Remove(window))
        {
            Counts.Windows.Set(_posted.Count);
            return window.TryMove(WindowState.Posted, WindowState.Free);
        }

        return window.State == WindowState.Filling && _work.BreakOff(this, window);
    }

    /// <inheritdoc/>
    public ValueTask<MoveStatus> MoveToAsync(Coordinate server, TimeSpan deadline) =>
        _work.MoveAsync(this, server, deadline);

    /// <summary>The name is free again.</summary>
    public void Dispose() => End(EndpointState.Closed);

    private static ReceivedMessage Own(Message call)
    {
        ArgumentNullException.ThrowIfNull(call);
        return call as ReceivedMessage
            ?? throw new ArgumentException("The message is none that this messenger has received.", nameof(call));
    }
}
