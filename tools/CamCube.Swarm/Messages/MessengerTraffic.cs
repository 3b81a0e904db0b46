using System.Globalization;
using CamCube.Runtime.Services;
using CamCube.Services.Messenger;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Messages;

/// <summary>What the workload does at all servers: between advances, in the order of ranks and openings.</summary>
internal sealed class MessengerTraffic
{
    private const int MostOpen = 40,
        MostRunning = 100;
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(1);
    private static readonly long MostNanos = (long)(Deadline.TotalNanoseconds * 1.2);
    private readonly List<OpenEndpoint> _open = [];
    private readonly List<RunningCall> _running = [];
    private readonly SwarmCube _cube;
    private readonly MessengerLedger _ledger;
    private readonly Random _random;
    private readonly string[] _names;
    private readonly int[] _restarts;
    private ulong _number;

    public MessengerTraffic(SwarmCube cube, MessengerLedger ledger)
    {
        (_cube, _ledger) = (cube, ledger);
        _random = SwarmRandom.Of(cube.Options.Seed, "messenger");
        _names =
        [
            .. Enumerable
                .Range(0, _random.Next(3, 20))
                .Select(i => string.Create(CultureInfo.InvariantCulture, $"{(i % 3 == 0 ? "" : "name ")}{i}")),
        ];
        _restarts = new int[cube.Cube.Shape.Count];
    }

    /// <summary>Nothing that it began goes on.</summary>
    public bool IsIdle => _running.Count == 0;

    private long Now => _cube.Cube.NowNanos;

    /// <summary>Looks at what has come and ended, and begins something.</summary>
    public void Step(bool mayBegin)
    {
        _open.RemoveAll(o => !IsThere(o));
        foreach (OpenEndpoint open in _open.Where(o => !_cube.Cube.IsPaused(o.Rank)).ToArray())
        {
            Receive(open);
        }

        foreach (RunningCall call in _running.ToArray())
        {
            LookAt(call);
        }

        for (int i = _random.Next(4); mayBegin && i > 0; i--)
        {
            Act();
        }
    }

    /// <summary>The messenger of a server begins anew, and the server stays.</summary>
    public void Restart(int rank, ServiceDefinition service)
    {
        if (_cube.Truth.Runs(rank) && !_cube.Cube.IsPaused(rank))
        {
            _restarts[rank]++;
            _cube.Cube.RemoveService(rank, service.Id);
            _cube.Cube.AddService(rank, service);
            _ledger.Tally.Add("messenger restarted alone");
        }
    }

    /// <summary>The cube has been whole for long.</summary>
    public void CheckOwners()
    {
        foreach (IGrouping<string, OpenEndpoint> name in _open.GroupBy(o => o.Endpoint.Name))
        {
            foreach (
                IGrouping<int, OpenEndpoint> part in name.Where(o => o.Endpoint.State == EndpointState.Owned)
                    .GroupBy(o => _cube.Truth.ComponentOf(o.Rank))
            )
            {
                _ledger.Single(name.Key, part.Count(), Now);
            }
        }
    }

    /// <summary>Closes all.</summary>
    public void Close()
    {
        _open.ForEach(o => o.Endpoint.Dispose());
        _open.Clear();
    }

    /// <summary>Nothing is left at any server.</summary>
    public void CheckLeft()
    {
        for (int rank = 0; rank < _restarts.Length; rank++)
        {
            if (!_cube.Truth.Runs(rank) || _cube.Cube.IsPaused(rank))
            {
                continue;
            }

            foreach ((string what, long count) in _cube.Cube.Service<IMessenger>(rank).Leftovers())
            {
                _ledger.Left(rank, $"{count} {what}", count == 0, Now);
            }
        }
    }

    private bool IsThere(OpenEndpoint open) =>
        _cube.Truth.Runs(open.Rank)
        && _cube.StopsOf(open.Rank) == open.Stops
        && _restarts[open.Rank] == open.Restarts
        && open.Endpoint.State <= EndpointState.Owned;

    private void Receive(OpenEndpoint open)
    {
        IEndpoint endpoint = open.Endpoint;
        if (!open.IsNoted && endpoint.State == EndpointState.Owned)
        {
            open.IsNoted = true;
            _ledger.Tally.Add("messenger name owned");
            _ledger.Owned(endpoint, open.Rank, open.Stops, open.Restarts, Now);
        }

        while (endpoint.TryReceive(out Message? message))
        {
            _ledger.Received(endpoint, message, Now);
            if (message.IsCall && message.Count == 1)
            {
                Answer(open, message);
            }

            Window?[] windows = [.. Enumerable.Range(0, message.IsLong ? message.Count : 0).Select(message.WindowOf)];
            message.Release();
            foreach (Window? window in windows)
            {
                if (window is not null)
                {
                    endpoint.PostWindow(window);
                }
            }
        }
    }

    // Some are not answered, and some long.
    private void Answer(OpenEndpoint open, Message call)
    {
        int kind = _random.Next(8);
        byte[] item = call[0].ToArray();
        if (kind == 0)
        {
            return;
        }

        if (call.ReturnCount > 0 && item.Length <= call.ReturnLength(0) && kind < 6)
        {
            ReadOnlyMemory<byte>[] items = [item];
            Task<LongDelivery> answer = open.Endpoint.AnswerAsync(call, 1, items, Deadline).AsTask();
            Add(new RunningCall("long answer", open, Now, MostNanos) { Long = answer });
            return;
        }

        open.Endpoint.TryAnswer(call, 1, item);
    }

    private void LookAt(RunningCall call)
    {
        if (!_cube.Truth.Runs(call.From.Rank) || _cube.StopsOf(call.From.Rank) != call.From.Stops)
        {
            // Gone with its server, and all that it had.
            _running.Remove(call);
        }
        else if (call.HasEnded)
        {
            _running.Remove(call);
            End(call);
        }
        else if (!_cube.Cube.IsPaused(call.From.Rank))
        {
            // A server that stood still goes on where it was.
            long paused = _cube.Options.Has(FaultKind.Pause) ? 3_000_000_000 : 0;
            _ledger.GoesOn(call.What, call.BeganNanos, call.MostNanos + paused, Now);
        }
    }

    private void End(RunningCall ended)
    {
        if (ended.Call is { } call)
        {
            using CallAnswer answer = call.GetAwaiter().GetResult();
            _ledger.Answered(answer, ended.To, ended.Number, Now);
        }
        else if (ended.Long is { } message)
        {
            _ledger.Tally.Add($"messenger {ended.What}: {message.GetAwaiter().GetResult().Status}");
        }
        else
        {
            _ledger.Tally.Add($"messenger move: {ended.Move!.GetAwaiter().GetResult()}");
        }
    }

    private void Act()
    {
        int kind = _random.Next(24),
            rank = _random.Next(_restarts.Length);
        string name = _names[_random.Next(_names.Length)];
        int which = _random.Next(MostOpen);
        if (kind < 3 || _open.Count == 0)
        {
            Open(rank, name, isStandby: false);
            return;
        }

        // Who has no name can do nothing; now and then it tries.
        OpenEndpoint[] able = [.. _open.Where(o => o.IsNoted || which == 0)];
        if (able.Length == 0)
        {
            return;
        }

        OpenEndpoint open = able[which % able.Length];
        if (_cube.Cube.IsPaused(open.Rank))
        {
            return;
        }

        switch (kind)
        {
            case 3:
                _open[which % _open.Count].Endpoint.Dispose();
                break;
            case 4 or 5:
                Move(open, rank);
                break;
            case < 9:
                SendLong(open, name);
                break;
            case < 15:
                Call(open, name);
                break;
            default:
                Send(open, name);
                break;
        }
    }

    private void Open(int rank, string name, bool isStandby)
    {
        if (!_cube.Truth.Runs(rank) || _cube.Cube.IsPaused(rank) || _open.Count >= MostOpen)
        {
            return;
        }

        var options = new EndpointOptions
        {
            IsStandby = isStandby,
            Patience = TimeSpan.FromMilliseconds(_random.Next(3) * 500),
        };
        EndpointOpen opened = _cube.Cube.Service<IMessenger>(rank).TryOpen(name, options, out IEndpoint? endpoint);
        _ledger.Tally.Add($"messenger open: {opened}");
        if (endpoint is null)
        {
            return;
        }

        _open.Add(new OpenEndpoint(endpoint, rank, _cube.StopsOf(rank), _restarts[rank]));
        for (int i = _random.Next(3); i > 0; i--)
        {
            endpoint.PostWindow(new Window(new byte[_random.Next(1, 200_000)]));
        }
    }

    private void Move(OpenEndpoint open, int rank)
    {
        if (_cube.Cube.Shape.At(rank) == _cube.Cube.Shape.At(open.Rank) || _running.Count >= MostRunning)
        {
            return;
        }

        Open(rank, open.Endpoint.Name, isStandby: true);
        Task<MoveStatus> move = open.Endpoint.MoveToAsync(_cube.Cube.Shape.At(rank), Deadline).AsTask();
        Add(new RunningCall("move", open, Now, MostNanos * 2) { Move = move });
    }

    private void Send(OpenEndpoint open, string name)
    {
        EndpointId to = EndpointId.OfName(name);
        ReadOnlyMemory<byte>[] items =
        [
            .. Enumerable
                .Range(0, _random.Next(4))
                .Select(_ => new ReadOnlyMemory<byte>(MessageBytes.Make(to.Value, ++_number, _random.Next(200)))),
        ];
        _ledger.Tally.Add($"messenger send: {open.Endpoint.TrySend(to, 0, items)}");
    }

    private void Call(OpenEndpoint open, string name)
    {
        if (_running.Count >= MostRunning)
        {
            return;
        }

        EndpointId to = EndpointId.OfName(name);
        ulong number = ++_number;
        ReadOnlyMemory<byte>[] items = [MessageBytes.Make(to.Value, number, _random.Next(900))];
        Window[] lent = _random.Next(2) == 0 ? [] : [new Window(new byte[1_000])];
        Task<CallAnswer> call = open.Endpoint.CallAsync(to, 0, items, lent, Deadline).AsTask();
        Add(
            new RunningCall("call", open, Now, MostNanos)
            {
                Call = call,
                To = to,
                Number = number,
            }
        );
    }

    private void SendLong(OpenEndpoint open, string name)
    {
        if (_running.Count >= MostRunning)
        {
            return;
        }

        EndpointId to = EndpointId.OfName(name);
        ReadOnlyMemory<byte>[] items =
        [
            .. Enumerable
                .Range(0, _random.Next(1, 3))
                .Select(_ => new ReadOnlyMemory<byte>(MessageBytes.Make(to.Value, ++_number, _random.Next(100_000)))),
        ];
        Task<LongDelivery> end = open.Endpoint.SendAsync(to, 0, items, Deadline).AsTask();
        Add(new RunningCall("long message", open, Now, MostNanos) { Long = end });
    }

    private void Add(RunningCall call)
    {
        _running.Add(call);
    }
}
