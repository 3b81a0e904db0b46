using CamCube.Messaging;
using CamCube.Services.Messenger.Calls;
using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Endpoints;

namespace CamCube.Services.Messenger.Long;

/// <summary>The long messages that come to this server's endpoints, and answers for windows that they have lent. Loop
/// only.</summary>
internal sealed class LongReceiver
{
    private readonly Dictionary<(Coordinate Server, ulong Run, ulong Offer), IncomingLong> _pulls = [];
    private readonly List<IncomingLong> _inOrder = [];
    private readonly ReceivedPool _pool;
    private readonly MessengerOptions _options;
    private readonly MessengerCounters _counters;
    private readonly CallTable _calls;
    private readonly Streams _streams;

    public LongReceiver(
        ReceivedPool pool,
        MessengerOptions options,
        MessengerCounters counters,
        CallTable calls,
        Streams streams
    )
    {
        (_pool, _options, _counters, _calls, _streams) = (pool, options, counters, calls, streams);
        calls.BreakOff = BreakOff;
    }

    /// <summary>Messages that are being received.</summary>
    public int Count => _inOrder.Count;

    /// <summary>A message is offered, with the lengths of its items: pulled as far as there are windows.</summary>
    /// <returns>False: there is no window for any item, which is to be said.</returns>
    public bool OnOffer(
        LocalEndpoint to,
        EndpointId source,
        in EndpointPlace from,
        ushort method,
        ulong offer,
        ReadOnlySpan<byte> lengths
    )
    {
        int count = lengths.Length / 4;
        if (_pulls.ContainsKey((from.Server, from.Run, offer)) || _inOrder.Count >= _options.LongMessages)
        {
            return true;
        }

        if (!to.HasRoom())
        {
            // Offered again soon.
            _counters.Dropped.Add();
            return true;
        }

        var message = new IncomingLong(this, to)
        {
            Source = source,
            From = from,
            Method = method,
            Label = offer,
        };
        bool isWanted = false;
        for (int i = 0; i < count; i++)
        {
            int length = Wire.ShortBody.OfferLength(lengths, i);
            Window? window = to.TakeWindow(length);
            message.Add(window, length);
            isWanted |= window is not null;
        }

        if (!isWanted)
        {
            _counters.Discarded.Add(count);
            return false;
        }

        _pulls.Add((from.Server, from.Run, offer), message);
        _inOrder.Add(message);
        if (!_streams.TryPull(message))
        {
            BreakOff(message);
        }

        return true;
    }

    /// <summary>Somebody answers a call into the windows that it lends. Null: it names none, or is not who was asked.
    /// </summary>
    public IncomingLong? OnPush(ulong handle, Coordinate peer, ulong peerRun)
    {
        if (!_calls.TryTakeHandle(handle, peer, peerRun, out CallRecord? call))
        {
            return null;
        }

        call.IsFilling = true;
        var message = new IncomingLong(this, call.From!)
        {
            From = call.Place,
            Call = call,
            Label = handle,
        };
        _inOrder.Add(message);
        return message;
    }

    /// <summary>All is there.</summary>
    public void Finish(IncomingLong message)
    {
        if (!message.TryEnd())
        {
            return;
        }

        Forget(message);
        ReceivedMessage received = _pool.Rent();
        received.Open(message.Source, message.From, message.Method);
        for (int i = 0; i < message.Count; i++)
        {
            Window? window = message.Windows[i];
            window?.TryMove(WindowState.Filling, WindowState.Filled);
            received.Add(window, message.LengthOf(i));
            _counters.LongBytes.Add(window is null ? 0 : message.LengthOf(i));
            _counters.Discarded.Add(window is null ? 1 : 0);
        }

        message.IsDelivered = true;
        _counters.LongReceived.Add();
        if (message.Call is { } call)
        {
            call.IsFilling = false;
            _calls.End(call, CallStatus.Answered, received);
        }
        else
        {
            _counters.Received.Add();
            message.To.Receive(received);
        }

        Streams.SayDelivered(message);
    }

    /// <summary>It will not be whole: its windows are as before it came.</summary>
    public void BreakOff(IncomingLong message)
    {
        if (!message.TryEnd())
        {
            return;
        }

        Forget(message);
        _counters.LongBroken.Add();
        foreach (Window? window in message.Windows)
        {
            bool isBack = window?.TryMove(WindowState.Filling, WindowState.Free) ?? false;
            if (isBack && message.Call is null)
            {
                message.To.PostWindow(window!);
            }
        }

        if (message.Call is { } call)
        {
            call.IsFilling = false;
            _calls.End(call, CallStatus.PeerLost);
        }

        _streams.Abort(message);
    }

    /// <summary>A call ends while an answer is written into its windows.</summary>
    public void BreakOff(CallRecord call)
    {
        if (_inOrder.Find(m => m.Call == call) is { } message)
        {
            BreakOff(message);
        }
    }

    /// <summary>A window is taken back into which an item is being written.</summary>
    public bool BreakOff(LocalEndpoint endpoint, Window window)
    {
        if (_inOrder.Find(m => m.To == endpoint && m.Call is null && m.Windows.Contains(window)) is not { } message)
        {
            return false;
        }

        BreakOff(message);
        return endpoint.Withdraw(window) || window.State == WindowState.Free;
    }

    /// <summary>An endpoint has ended: what it receives breaks off.</summary>
    public void OnEnded(LocalEndpoint endpoint)
    {
        foreach (IncomingLong message in _inOrder.FindAll(m => m.To == endpoint))
        {
            BreakOff(message);
        }
    }

    public void Detach(ReliableStream stream) => _streams.Detach(stream);

    private void Forget(IncomingLong message)
    {
        _inOrder.Remove(message);
        if (message.Call is null)
        {
            _pulls.Remove((message.From.Server, message.From.Run, message.Label));
        }
    }
}
