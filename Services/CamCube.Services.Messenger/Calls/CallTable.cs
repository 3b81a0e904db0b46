using System.Diagnostics.CodeAnalysis;
using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Endpoints;

namespace CamCube.Services.Messenger.Calls;

/// <summary>The open calls of this server's endpoints. Loop only; nothing is allocated per call in steady state.
/// </summary>
internal sealed class CallTable
{
    private const int MostOpen = 65_536,
        SlotBits = 16;
    private readonly List<CallRecord?> _records = [];
    private readonly Queue<int> _freeSlots = new();

    // Those whose results were taken. One that nobody ever awaits is left to the garbage collector.
    private readonly Stack<CallRecord> _free = new();
    private readonly Dictionary<ulong, CallRecord> _byHandle = [];
    private readonly IServer _server;
    private readonly MessengerCounters _counters;
    private ulong _begun;

    public CallTable(IServer server, MessengerCounters counters) => (_server, _counters) = (server, counters);

    /// <summary>Calls that are open.</summary>
    public int Open { get; private set; }

    /// <summary>Handles that an answer may still name.</summary>
    public int Handles => _byHandle.Count;

    /// <summary>Told when an answer is being written into a call's windows and the call ends.</summary>
    public Action<CallRecord>? BreakOff { get; set; }

    /// <summary>Opens a call. The windows are free, and lent from now on. False: too many are open.</summary>
    public bool TryBegin(
        LocalEndpoint from,
        EndpointId to,
        ReadOnlySpan<Window> returns,
        [NotNullWhen(true)] out CallRecord? call
    )
    {
        call = null;
        if (!_freeSlots.TryDequeue(out int slot))
        {
            if (_records.Count == MostOpen)
            {
                return false;
            }

            slot = _records.Count;
            _records.Add(null);
        }

        call = _free.TryPop(out CallRecord? used) ? used : new CallRecord(_server, this);
        (call.Slot, _records[slot]) = (slot, call);
        Open++;
        call.Question = (++_begun << SlotBits) | (uint)call.Slot;
        (call.From, call.To, call.Place) = (from, to, default);
        (call.ReturnCount, call.Handle) = (returns.Length, 0);
        for (int i = 0; i < returns.Length; i++)
        {
            returns[i].TryMove(WindowState.Free, WindowState.Lent);
            call.Returns[i] = returns[i];
        }

        if (returns.Length > 0)
        {
            call.Handle = NewHandle();
            _byHandle.Add(call.Handle, call);
        }

        return true;
    }

    /// <summary>Takes back a call that was not sent, and that nobody waits for.</summary>
    public void Withdraw(CallRecord call)
    {
        Close(call);
        Return(call);
    }

    /// <summary>Ends a call, once.</summary>
    public void End(CallRecord call, CallStatus status, ReceivedMessage? message = null)
    {
        if (call.Question == 0)
        {
            message?.Release();
            return;
        }

        Close(call);
        if (call.IsFilling)
        {
            BreakOff?.Invoke(call);
        }

        call.Wait.Complete(new CallAnswer(status, message));
    }

    /// <summary>The result of a call was taken: its object is used again.</summary>
    public void Return(CallRecord call) => _free.Push(call);

    /// <summary>The question goes there.</summary>
    public void OnPlaced(ulong question, in EndpointPlace place)
    {
        if (TryGet(question, out CallRecord? call))
        {
            call.Place = place;
        }
    }

    /// <summary>The call of an endpoint that waits for an answer with this number from another endpoint.</summary>
    public bool Awaits(
        LocalEndpoint endpoint,
        ulong question,
        EndpointId from,
        [NotNullWhen(true)] out CallRecord? call
    ) => TryGet(question, out call) && call.From == endpoint && call.To == from;

    /// <summary>A call that lends windows is found by their handle: once, and for the server that was asked.</summary>
    public bool TryTakeHandle(ulong handle, Coordinate peer, ulong peerRun, [NotNullWhen(true)] out CallRecord? call)
    {
        if (
            handle == 0
            || !_byHandle.TryGetValue(handle, out call)
            || call.Place.Server != peer
            || call.Place.Run != peerRun
        )
        {
            call = null;
            return false;
        }

        _byHandle.Remove(handle);
        call.Handle = 0;
        return true;
    }

    /// <summary>A call will not be answered.</summary>
    public void Fail(ulong question, CallStatus status)
    {
        if (TryGet(question, out CallRecord? call))
        {
            End(call, status);
        }
    }

    /// <summary>What was asked of a server that is lost will not be answered.</summary>
    public void OnServerLost(Coordinate server)
    {
        // By number: who goes on may call again.
        for (int i = 0; i < _records.Count; i++)
        {
            if (_records[i] is { Place.IsKnown: true } call && call.Place.Server == server)
            {
                End(call, CallStatus.PeerLost);
            }
        }
    }

    /// <summary>What an endpoint has asked that has ended will not be answered.</summary>
    public void OnEnded(LocalEndpoint endpoint)
    {
        for (int i = 0; i < _records.Count; i++)
        {
            if (_records[i] is { } call && call.From == endpoint)
            {
                End(call, CallStatus.NotOwned);
            }
        }
    }

    // Of an answer in windows they are filled by now, and the message's.
    private void Close(CallRecord call)
    {
        Open--;
        _records[call.Slot] = null;
        _freeSlots.Enqueue(call.Slot);
        _byHandle.Remove(call.Handle);
        for (int i = 0; i < call.ReturnCount; i++)
        {
            call.Returns[i]!.TryMove(WindowState.Lent, WindowState.Free);
            call.Returns[i] = null;
        }

        (call.ReturnCount, call.Handle) = (0, 0);
        call.Close();
    }

    private bool TryGet(ulong question, [NotNullWhen(true)] out CallRecord? call)
    {
        int slot = (int)(question & (MostOpen - 1));
        call = question != 0 && slot < _records.Count ? _records[slot] : null;
        if (call is not null && call.Question == question)
        {
            return true;
        }

        call = null;
        _counters.Stale.Add();
        return false;
    }

    private ulong NewHandle()
    {
        ulong handle;
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        do
        {
            _server.Random.FillSecret(bytes);
            handle = BitConverter.ToUInt64(bytes);
        } while (handle == 0 || _byHandle.ContainsKey(handle));

        return handle;
    }
}
