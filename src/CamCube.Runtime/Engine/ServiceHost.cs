using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Engine;

/// <summary>
/// The services of one server: registration and removal at run time, start and stop, containment of faults and restart.
/// Rare work, off the packet path.
/// </summary>
internal sealed class ServiceHost(ServerRuntime server)
{
    private const int NoPoll = 0,
        UnusedReserve = 1,
        UsedReserve = 2;
    private static readonly TimeSpan FirstRestart = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(5);
    private static readonly long FaultWindowNanos = (long)TimeSpan.FromHours(1).TotalNanoseconds;
    private ServiceSlot[] _slots = [];
    private ServiceMap _map = ServiceMap.Empty;
    private int _pollReserve;
    private long _waits;
    private ServiceView? _restarts;

    public IReadOnlyList<ServiceSlot> Slots => _slots;

    public ServiceSlot SlotAt(int index) => _slots[index];

    /// <summary>The running service that implements a type, or null.</summary>
    public ServiceSlot? Find(Type type)
    {
        foreach (ServiceSlot slot in _slots)
        {
            if (slot.State == ServiceState.Running && type.IsInstanceOfType(slot.Instance))
            {
                return slot;
            }
        }

        return null;
    }

    /// <summary>The service of a configured name in whatever state, or null.</summary>
    public ServiceSlot? FindAny(string name) =>
        Array.Find(_slots, slot => !slot.IsRemoved && slot.Definition.Name == name);

    public ServiceSlot? Find(ServiceId id) =>
        _map.SlotOf[id.Value] == ServiceMap.None ? null : _slots[_map.SlotOf[id.Value]];

    /// <summary>Adds the services of a list; servers with the same list share one map.</summary>
    public void AddAll(IReadOnlyList<ServiceDefinition> definitions)
    {
        foreach (ServiceDefinition definition in definitions)
        {
            Make(definition);
        }

        CubeContext context = server.Context;
        if (context.Map is null)
        {
            var map = new ServiceMap();
            foreach (ServiceSlot slot in _slots)
            {
                map.SlotOf[slot.Definition.Id.Value] = (byte)slot.Index;
            }

            context.Map = map;
        }

        _map = context.Map;
        server.Dispatch.SetMap(_map);
        SetLimits();
    }

    /// <summary>Registers and starts a service at run time.</summary>
    /// <exception cref="ArgumentException">The id is taken, or there are <see cref="ServiceDefinition.MostServices"/>
    /// already.</exception>
    public ServiceSlot Add(ServiceDefinition definition)
    {
        definition.Check();
        if (Find(definition.Id) is { } other)
        {
            throw new ArgumentException($"Service id {definition.Id} belongs to '{other.Definition.Name}' already.");
        }

        ServiceSlot slot = Make(definition);
        _map = _map.With(definition.Id, (byte)slot.Index);
        server.Dispatch.SetMap(_map);
        SetLimits();
        Start(slot);
        return slot;
    }

    /// <summary>Stops a service and forgets its id: its packets are then of an unknown service.</summary>
    public void Remove(ServiceSlot slot)
    {
        Stop(slot, StopReason.Removed);
        slot.IsRemoved = true;
        NeedCheck.Run(server, _slots);
        _map = _map.With(slot.Definition.Id, ServiceMap.None);
        server.Dispatch.SetMap(_map);
        SetLimits();
    }

    public void Start(ServiceSlot slot)
    {
        slot.View = new ServiceView(server, slot);
        slot.State = ServiceState.Running;
        slot.IsStopping = false;
        slot.Needs.Clear();
        server.Control.Guard(
            slot.View,
            CallbackKind.Constructor,
            slot,
            (_, s) =>
            {
                ICamCubeService service = s.Definition.Create(new Activation(server, s.View));
                s.Service = ObservedService.Of(server, service);
                s.Commands = CommandsOf(service);
                s.Health = service as IServiceHealth;
                server.Control.Begin(CallbackKind.OnStart);
                service.OnStart();
            }
        );
        NeedCheck.Run(server, _slots);
    }

    /// <summary>All services but the link-state service begin anew; those that are stopped stay so.</summary>
    public void RestartAll()
    {
        ServiceSlot[] running = [.. _slots.Where(static s => s is { Index: > 0, State: ServiceState.Running })];
        foreach (ServiceSlot slot in running.Reverse())
        {
            Stop(slot, StopReason.Outdated);
        }

        foreach (ServiceSlot slot in running)
        {
            Start(slot);
        }
    }

    /// <summary>A service that runs begins anew; one that does not stays so.</summary>
    public void Restart(ServiceSlot slot)
    {
        if (slot.State == ServiceState.Running)
        {
            Stop(slot, StopReason.Outdated);
            Start(slot);
        }
    }

    /// <summary>Somebody wants a service that does not run to run again: its faults are forgiven.</summary>
    public void StartAgain(ServiceSlot slot)
    {
        if (slot.State == ServiceState.Running)
        {
            return;
        }

        slot.RecentFaults.Clear();
        Start(slot);
        if (slot.State == ServiceState.Running)
        {
            server.Context.Events.ServiceRestarted(server.Coordinate, slot.Definition.Name);
        }
    }

    /// <summary>
    /// Other code takes the places of services that are there: the old instances stop, the new ones start with empty
    /// state; counters and queues' places stay. Null: they run. Else why one did not start, and what was there before
    /// runs again, anew.
    /// </summary>
    /// <param name="next">Each with id and name of a service of this server.</param>
    public string? Replace(IReadOnlyList<ServiceDefinition> next)
    {
        ServiceSlot[] slots = [.. next.Select(definition => Find(definition.Id)!)];
        ServiceDefinition[] before = [.. slots.Select(static slot => slot.Definition)];
        bool[] ran = [.. slots.Select(static slot => slot.State != ServiceState.Stopped)];
        if (Fill(slots, next, static _ => true) is not { } reason)
        {
            return null;
        }

        Fill(slots, before, i => ran[i]);
        return reason;
    }

    public void StopAll(StopReason? reason)
    {
        for (int i = _slots.Length - 1; i >= 0; i--)
        {
            Stop(_slots[i], reason);
        }

        if (_restarts is { } view)
        {
            view.Stop();
            server.Timers.RemoveAll(view);
        }
    }

    /// <summary>Contains a fault: the instance is replaced by a stand-in that lets packets pass, all it had is taken
    /// back.</summary>
    public void Fault(ServiceSlot slot, Exception e)
    {
        if (slot.State != ServiceState.Running)
        {
            server.Counters.LateFaults++;
            return;
        }

        slot.Faults++;
        slot.LastFault = CommandText.Of(e);
        slot.RecentFaults.Add(server.Now);
        slot.RecentFaults.RemoveAll(at => server.Now - at > FaultWindowNanos);
        bool restart = slot.Definition.OnFault == FaultPolicy.Restart && !slot.IsStopping;
        slot.State = restart ? ServiceState.Faulted : ServiceState.Stopped;
        TakeBack(slot);
        server.Context.Events.ServiceFaulted(server.Coordinate, slot.Definition.Name, e, restart);
        if (restart)
        {
            RestartLater(slot);
        }
    }

    public void TopologyChanged(in TopologyChange change)
    {
        server.Context.Events.TopologyChanged(server.Coordinate, change);
        foreach (ServiceSlot slot in _slots)
        {
            if (slot.State == ServiceState.Running)
            {
                server.Control.Guard(
                    slot.View,
                    CallbackKind.OnTopologyChanged,
                    change,
                    static (view, c) => view.Slot.Instance.OnTopologyChanged(c)
                );
            }
        }
    }

    /// <summary>
    /// Asks all services to get ready for their keys; calls back when each is, or its time is over: its own, or else
    /// this one.
    /// </summary>
    public void Return(TimeSpan timeout, Action completed)
    {
        Ask(
            CallbackKind.OnReturning,
            static service => service.OnReturningAsync(),
            slot => slot.Definition.ReturnTimeout ?? timeout,
            completed
        );
    }

    /// <summary>Tells all services that the server is about to stop in order; calls back when each is done, or this
    /// time is over.</summary>
    public void Leave(TimeSpan timeout, Action completed) =>
        Ask(CallbackKind.OnStopping, static service => service.OnStoppingAsync(), _ => timeout, completed);

    /// <summary>Serves those who wait for room or packets, each in its service's name. True: some still wait for
    /// packets.</summary>
    public bool ServeWaits()
    {
        foreach (ServiceSlot slot in _slots)
        {
            server.Running = slot.Index;
            slot.View.ServeRoomWaits();
        }

        // The budget is the server's: whoever of all services asked first gets the next packet.
        bool waits = false;
        while (!waits && LongestWaiting() is { } view)
        {
            server.Running = view.Slot.Index;
            waits = !view.TryServeRent();
        }

        server.Running = -1;
        return waits;
    }

    /// <summary>Order of asking of a wait.</summary>
    public long NextWait() => _waits++;

    /// <summary>The link that asks the source; none: no source has its turn.</summary>
    public LinkSet Asking { get; private set; }

    public void BeginPoll(Link link) => (_pollReserve, Asking) = (UnusedReserve, link);

    public void EndPoll() => (_pollReserve, Asking) = (NoPoll, LinkSet.None);

    public bool UsePollReserve()
    {
        bool isThere = _pollReserve == UnusedReserve;
        if (isThere)
        {
            _pollReserve = UsedReserve;
        }

        return isThere;
    }

    private void Ask(
        CallbackKind kind,
        Func<ICamCubeService, ValueTask> call,
        Func<ServiceSlot, TimeSpan> timeoutOf,
        Action completed
    )
    {
        var round = new ServiceRound(kind, call, completed);
        foreach (ServiceSlot slot in _slots)
        {
            if (slot.State == ServiceState.Running && slot.Index > 0)
            {
                round.Add(slot, timeoutOf(slot));
            }
        }

        round.Begin();
    }

    // Stops at the first that does not start.
    private string? Fill(ServiceSlot[] slots, IReadOnlyList<ServiceDefinition> next, Func<int, bool> starts)
    {
        foreach (ServiceSlot slot in slots.Reverse())
        {
            Stop(slot, StopReason.Replaced);
        }

        for (int i = 0; i < slots.Length; i++)
        {
            slots[i].Define(next[i]);
            server.Egress.Configure(slots[i]);
        }

        SetLimits();
        for (int i = 0; i < slots.Length; i++)
        {
            if (!starts(i))
            {
                continue;
            }

            Start(slots[i]);
            if (slots[i].State != ServiceState.Running)
            {
                return $"{slots[i].Definition.Name} threw {slots[i].LastFault}";
            }
        }

        return null;
    }

    private ServiceView? LongestWaiting()
    {
        ServiceView? longest = null;
        foreach (ServiceSlot slot in _slots)
        {
            if (slot.View.FirstRentOrder < (longest?.FirstRentOrder ?? long.MaxValue))
            {
                longest = slot.View;
            }
        }

        return longest;
    }

    private static IReadOnlyList<ServiceCommand> CommandsOf(ICamCubeService service)
    {
        if (service is not IServiceCommands { Commands: { } commands })
        {
            return [];
        }

        return commands.DistinctBy(command => command.Name).Count() == commands.Count
            ? [.. commands]
            : throw new ArgumentException($"{service.GetType().Name} has two commands of the same name.");
    }

    private ServiceSlot Make(ServiceDefinition definition)
    {
        int free = Array.FindIndex(_slots, s => s.IsRemoved);
        if (free >= 0)
        {
            // The place of a service that was removed.
            var next = (ServiceSlot[])_slots.Clone();
            next[free] = new ServiceSlot(server, free, definition);
            server.Egress.Configure(next[free]);
            server.SlotTable = _slots = next;
            return next[free];
        }

        if (_slots.Length == ServiceDefinition.MostServices)
        {
            throw new ArgumentException(
                $"A server has at most {ServiceDefinition.MostServices} services, the link-state service included."
            );
        }

        var slot = new ServiceSlot(server, _slots.Length, definition);

        // Its queue is there before others see it: they may be reading the status.
        server.Egress.Configure(slot);
        Volatile.Write(ref _slots, [.. _slots, slot]);
        server.SlotTable = _slots;
        return slot;
    }

    private void SetLimits()
    {
        int limit = server.Context.Options.PacketBudget;
        foreach (ServiceSlot slot in _slots)
        {
            limit += slot.IsRemoved ? 0 : slot.Definition.Queue.LimitPackets;
        }

        server.PacketLimit = limit;
        server.ServiceLimit = limit - _slots[0].Definition.Queue.LimitPackets;
    }

    private void Stop(ServiceSlot slot, StopReason? reason)
    {
        slot.IsStopping = true;
        if (slot.State == ServiceState.Running && reason is { } told)
        {
            server.Control.Guard(
                slot.View,
                CallbackKind.OnStop,
                told,
                static (view, r) => view.Slot.Instance.OnStop(r)
            );
        }

        slot.State = ServiceState.Stopped;
        TakeBack(slot);
    }

    private void TakeBack(ServiceSlot slot)
    {
        slot.Service = ObservedService.Of(server, ServiceSlot.StandIn.Instance);
        slot.Commands = [];
        slot.Health = null;
        slot.HeaderLength = slot.Definition.HeaderLength;
        server.Sources.RemoveAll(slot);
        slot.View.Stop();
        server.Timers.RemoveAll(slot.View);
        server.Egress.Purge(slot, DropReason.Closed);

        // What was on its way from one queue to another when it threw.
        server.Counters.Drops[(int)DropReason.Fault] += server.Reclaim(slot.QueuedOwner);

        // Those of it who waited see that it ended before what they held is reclaimed.
        server.Control.DrainOwned(slot.View);
        server.Counters.Drops[(int)DropReason.Closed] += server.Reclaim(slot.HeldOwner);
        slot.View.End();
    }

    private void RestartLater(ServiceSlot slot)
    {
        // The timers of restarts belong to no service: the link-state service, too, is restarted by one.
        _restarts ??= new ServiceView(server, _slots[0]);
        TimeSpan pause = FirstRestart * (1L << Math.Min(slot.RecentFaults.Count - 1, 30));
        pause = pause < LongestPause ? pause : LongestPause;
        int fault = slot.Faults;
        var timer = new LoopTimer(
            server,
            _restarts,
            () =>
            {
                // Somebody may have started it before, and it may have thrown again: then that fault has a restart of
                // its own.
                if (slot.State == ServiceState.Faulted && slot.Faults == fault)
                {
                    Start(slot);
                    server.Context.Events.ServiceRestarted(server.Coordinate, slot.Definition.Name);
                }
            }
        );
        timer.Arm(pause);
    }

    private sealed class Activation(ServerRuntime server, ServiceView view) : ServiceActivation
    {
        public override IServer Server => view;

        public override Dependency<T> Dependency<T>(bool isOptional = false)
        {
            if (!isOptional)
            {
                view.Slot.Needs.Add(typeof(T));
            }

            return new LocalDependency<T>(server);
        }
    }
}
