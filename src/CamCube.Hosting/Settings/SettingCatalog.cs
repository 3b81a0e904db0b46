namespace CamCube.Hosting.Settings;

/// <summary>Every setting of the host, in the order in which help and docs/configuration.md show them.</summary>
internal static class SettingCatalog
{
    /// <summary>The settings.</summary>
    public static IReadOnlyList<SettingDescription> All { get; } =
    [
        new("CamCube:Shape", "3x3x3", "Axis sizes of the torus; up to 65,536 servers."),
        new("CamCube:Shim", "Simulator", "What moves frames: Simulator runs the whole cube in this process."),
        new("CamCube:ParallelCables", "true", "Whether an axis of size 2 has two cables between its servers, or one."),
        new("CamCube:Coordinate", "", "Place of this real server, as in 0,1,2; found by the cabling if left out."),
        new("CamCube:ClusterId", "camcube", "Name of the cube; servers on cables do not talk to those of another one."),
        new(
            "CamCube:StateDirectory",
            "",
            "Folder for what a real server keeps for life: its identity, its place, and the number of its last run."
        ),
        new(
            "CamCube:FrontEndAddress",
            "",
            "Address of front ends; needed for a real server, 127.0.0.1 for a simulated cube."
        ),
        new("CamCube:AllowControl", "false", "Whether a real server may be stopped and its cables cut over HTTP."),
        new("CamCube:Faults", "", "Fault rules on the links, as in 'loss probability=0.2 at=self:+x; delay time=1ms'."),
        new("CamCube:Capture:File", "", "pcapng file into which the cables are recorded; it is replaced."),
        new("CamCube:Capture:Links", "all", "The recorded links, as in +x,-y."),
        new("CamCube:Capture:Servers", "all", "The servers that record, as in 0;1,1,1."),
        new("CamCube:Capture:MostFrames", "1000000", "Frames after which it ends, 1 to 1000000000."),
        new("CamCube:Seed", "1", "Seed of all random streams; give every server of a cube the same."),
        new("CamCube:HopLimit", "0", "Hops a packet may make, 0 to 65535; 0 means four times the diameter plus 16."),
        new("CamCube:PacketBudget", "4096", "Packets of a server outside the queues of services, 64 to 1000000."),
        new("CamCube:GateLimit", "4096", "Calls from other threads open on a server at once, 1 to 1000000; more wait."),
        new("CamCube:StepBudget", "256", "Calls and local packets per step before links get their turn, 1 to 1000000."),
        new("CamCube:DataFolder", "", "Folder for the files of services; none: services have no disk."),
        new(
            "CamCube:Memory:ProcessLimit",
            "",
            "Bytes that all servers' services may claim; half of the machine's if left out."
        ),
        new(
            "CamCube:Memory:ServerLimit",
            "",
            "Bytes that the services of one server may claim; as the process if left out."
        ),
        new(
            "CamCube:Memory:ServiceLimit",
            "",
            "Bytes that one service of a server may claim; as the server if left out."
        ),
        new("CamCube:StopTimeout", "5s", "Longest time that services may delay a stop in order, 0s to 1h."),
        new(
            "CamCube:Work:Threads",
            "0",
            "Threads for short, and for long work off the loops; 0: one less than processors."
        ),
        new("CamCube:Work:DiskThreads", "4", "Threads for the files of services, 1 to 256."),
        new(
            "CamCube:Work:ShortLimit",
            "1024",
            "Short work that may wait on one server, 1 to 1000000; more is refused."
        ),
        new("CamCube:Work:LongLimit", "256", "Long work that may wait on one server, 1 to 1000000; more is refused."),
        new(
            "CamCube:Work:DiskLimit",
            "4096",
            "File operations that may wait on one server, 1 to 1000000; more are refused."
        ),
        new("CamCube:Work:LostLimit", "8", "Threads of a class that are replaced while work does not end, 0 to 1024."),
        new("CamCube:Liveness:DetectionTime", "200ms", "Silence after which a neighbour is suspected, 10ms to 60s."),
        new("CamCube:Liveness:ReturnTimeout", "5s", "Longest time that services may delay taking keys back, 0s to 1h."),
        new("CamCube:Watch:HungAfter", "5s", "Time without a turn after which a loop counts as hung, 50ms to 24h."),
        new(
            "CamCube:Watch:DeadAfter",
            "1min",
            "Time without a turn after which the host counts as dead, HungAfter to 24h."
        ),
        new(
            "CamCube:Watch:SlowCallback",
            "10ms",
            "A callback that is seen to run for so long is warned of, 1ms to 1h."
        ),
        new(
            "CamCube:Watch:HeldShare",
            "0.5",
            "Part of the packet budget that one service may hold for long, above 0 to 1."
        ),
        new("CamCube:Watch:HeldAfter", "10s", "How long it may hold more, 1s to 24h."),
        new(
            "CamCube:Reload:Root",
            "",
            "Folder below which a reload may take services from; services beside the host if left out."
        ),
        new("CamCube:Reload:Timeout", "5s", "How long a reloaded service may take to start, 50ms to 1h."),
        new("CamCube:Http:Address", "127.0.0.1", "Address of the HTTP ports. Whoever reaches them may stop servers."),
        new("CamCube:Http:Port", "8080", "First HTTP port: the port of a server is this plus its rank."),
        new("CamCube:Http:AllowedHosts", "", "Further names that the Host header may have, separated by commas."),
        new("CamCube:Http:CommandsAtOnce", "16", "Commands of services that run on a server at once, 1 to 10000."),
        new("CamCube:Http:CommandBodyLimit", "16MiB", "Most bytes sent with a command or answered by one, 0 to 1GiB."),
        new("CamCube:Http:CommandBodyTimeout", "30s", "Longest time that sending them may take, 100ms to 1h."),
        new("CamCube:FrontEnds:{name}:Enabled", "the front end's", "Whether the front end is started."),
        new(
            "CamCube:FrontEnds:{name}:Assembly",
            "",
            "Its own assembly or folder, relative to front-ends/ beside the host; else it is in its service's."
        ),
        new("CamCube:FrontEnds:{name}:Address", "FrontEndAddress", "Address of the front end's ports."),
        new("CamCube:FrontEnds:{name}:Port", "the front end's", "First port: a server's is this plus its rank."),
        new("CamCube:FrontEnds:{name}:{option}", "", "Options of the front end itself; see its documentation."),
        new("CamCube:Services:{name}:Enabled", "true", "Whether the service is loaded."),
        new("CamCube:Services:{name}:With", "", "Another service without which it is not loaded."),
        new("CamCube:Services:{name}:Assembly", "{name}", "Assembly or folder, relative to services/ beside the host."),
        new("CamCube:Services:{name}:Queue:LimitPackets", "1024", "Packets its queue holds, 1 to 1000000."),
        new("CamCube:Services:{name}:Queue:Drop", "Newest", "What goes when the queue is full: Newest or Oldest."),
        new("CamCube:Services:{name}:Queue:Weight", "1", "Share in bytes against other services on a link, 1 to 1000."),
        new("CamCube:Services:{name}:Queue:Priority", "1", "Class, 1 to 7; a lower one is served strictly first."),
        new("CamCube:Services:{name}:{option}", "", "Options of the service itself; see its documentation."),
        new("CamCube:LinkProviders:{name}:Assembly", "", "Assembly of a shim, relative to shims/ beside the host."),
        new("CamCube:{shim}:{option}", "", "Options of the shim; see its documentation."),
    ];

    /// <summary>Their full names.</summary>
    public static IEnumerable<string> Paths => All.Select(setting => setting.Path);
}
