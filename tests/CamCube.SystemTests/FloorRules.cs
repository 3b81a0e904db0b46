namespace CamCube.SystemTests;

/// <summary>Who may name whom within a project: its folders on floors, the highest first. A folder is a namespace and
/// names folders on lower floors only, so no circle can come about. Projects that are not listed have none.</summary>
internal static class FloorRules
{
    /// <summary>The project's own folder, without one below.</summary>
    public const string Top = ".";

    /// <summary>Projects with floors: folder, namespace, floors. A floor's folders stand side by side and do not name
    /// each other.</summary>
    public static readonly (string Project, string Namespace, string[][] Floors)[] Projects =
    [
        (
            "src/CamCube.Abstractions",
            "CamCube",
            [
                ["Routing"],
                ["Server"],
                ["Commands", "Memory", "Services"],
                ["FrontEnds", "Packets", "Storage", "ValueTexts", "Work"],
                ["Geometry"],
            ]
        ),
        (
            "src/CamCube.Runtime",
            "CamCube.Runtime",
            [
                ["Hosts"],
                ["Gates"],
                ["Engine"],
                [Top, "Storage"],
                ["Core", "Workers"],
                ["Cubes", "Memory", "Observing", "Tracing", "Wire"],
                ["Loop", "Services", "Watching"],
            ]
        ),
        (
            "src/CamCube.Analyzers",
            "CamCube.Analyzers",
            [
                ["LoopCode", "Packets", "Services"],
                [Top],
            ]
        ),
        (
            "src/CamCube.Administration",
            "CamCube.Administration",
            [
                [Top],
                ["Answers"],
            ]
        ),
        (
            "src/CamCube.Hosting",
            "CamCube.Hosting",
            [
                [Top],
                ["Http"],
                ["Reloading"],
                ["Control"],
                ["FrontEnds", "Faults", "Cubes", "Lifetime"],
                ["Loading", "Observing"],
                ["Settings"],
            ]
        ),
        (
            "src/CamCube.Trees",
            "CamCube.Trees",
            [
                ["Aggregations", "Vertices"],
                ["Pulls"],
                ["Plans"],
            ]
        ),
        (
            "src/CamCube.Calls",
            "CamCube.Calls",
            [
                ["Answering", "Asking"],
                ["Ownership", "Rounds"],
                ["Wire"],
            ]
        ),
        (
            "src/CamCube.Links",
            "CamCube",
            [
                ["Cabling"],
                ["Cables", "Capture", "Faults"],
            ]
        ),
        (
            "src/CamCube.Messaging",
            "CamCube.Messaging",
            [
                [Top],
                ["Pieces", "Streams"],
                ["Streams/Connections"],
                ["Streams/Paths"],
                ["Streams/Flow", "Streams/Wire"],
                ["Messages", "Streams/Terms"],
            ]
        ),
        (
            "src/CamCube.Client.Cache",
            "CamCube.Client.Cache",
            [
                [Top],
                ["Connections"],
                ["Observing", "Protocol"],
                ["Entries", "Failures", "Settings"],
            ]
        ),
        (
            "Shim/CamCube.Shim.Ethernet",
            "CamCube.Shim.Ethernet",
            [
                [Top],
                ["Pcap"],
                ["Ports"],
                ["Interfaces"],
                ["Foreign", "Settings"],
                ["Frames"],
            ]
        ),
        (
            "Services/CamCube.Services.Cache",
            "CamCube.Services.Cache",
            [
                [Top],
                ["Asking", "CubeWide"],
                ["HotSpots"],
                ["Roots"],
                ["Lending"],
                ["Backing"],
                ["Ownership"],
                ["Store"],
                ["Store/Internal", "Wire"],
                ["Counting"],
                ["Settings"],
            ]
        ),
        (
            "Services/CamCube.Services.KeyValue.Redis",
            "CamCube.Services.KeyValue.Redis",
            [
                [Top],
                ["Commands"],
                ["Sessions"],
                ["Direct"],
                ["Work"],
                ["Data"],
                ["Protocol"],
                ["Settings"],
            ]
        ),
        (
            "Services/CamCube.Services.Cache.Memcached",
            "CamCube.Services.Cache.Memcached",
            [
                [Top],
                ["Binary"],
                ["Text"],
                ["Meta"],
                ["Statistics"],
                ["Commands"],
                ["Doors", "Settings"],
            ]
        ),
        (
            "Services/CamCube.Services.Diagnostics",
            "CamCube.Services.Diagnostics",
            [
                [Top, "Streams"],
            ]
        ),
        (
            "Services/CamCube.Services.KeyValue",
            "CamCube.Services.KeyValue",
            [
                [Top],
                ["Commands", "FrontEnds/Http", "Recovery", "Values"],
                ["Requests", "Salvage", "Verification"],
                ["Members"],
                ["Index", "Wire"],
                ["Groups", "Operations"],
                ["Log"],
                ["Coding", "Counting", "Metadata", "Settings"],
            ]
        ),
        (
            "Services/CamCube.Services.Messenger",
            "CamCube.Services.Messenger",
            [
                [Top],
                ["Long", "Moves"],
                ["Calls", "Names", "Resolving", "Windows"],
                ["Endpoints"],
                ["Commands", "Counting", "Settings", "Waiting", "Wire"],
            ]
        ),
        (
            "Services/CamCube.Services.Camdoop",
            "CamCube.Services.Camdoop",
            [
                [Top],
                ["Commands", "FrontEnds/Http", "Serving", "Tracking"],
                ["Tasks"],
                ["Inputs"],
                ["Lines", "Work"],
                ["Outputs"],
                ["Vertices"],
                ["Wire"],
                ["Plans"],
                ["Assemblies", "Functions"],
                ["Keys", "Records"],
                ["Counting", "Settings", "Sketches"],
            ]
        ),
        (
            "Services/CamCube.Services.Files",
            "CamCube.Services.Files",
            [
                [Top],
                ["FrontEnds/Http", "Sweeping"],
                ["Moving"],
                ["Naming"],
                ["Records"],
                ["Counting", "Settings"],
            ]
        ),
        (
            "Services/CamCube.Services.Images",
            "CamCube.Services.Images",
            [
                [Top],
                ["Asking", "FrontEnds/Http"],
                ["Roots"],
                ["Storing"],
                ["Wire"],
                ["Counting", "Settings"],
            ]
        ),
        (
            "Services/CamCube.Services.Collectives",
            "CamCube.Services.Collectives",
            [
                [Top],
                ["Commands", "FrontEnds"],
                ["Measuring"],
                ["Groups"],
                ["Folding", "Wire"],
                ["Counting", "Settings"],
            ]
        ),
        (
            "Services/CamCube.Services.Distribution",
            "CamCube.Services.Distribution",
            [
                [Top],
                ["Commands"],
                ["Jobs"],
                ["Coding"],
                ["Pieces"],
                ["Wire"],
                ["Counting", "Settings"],
            ]
        ),
        (
            "Services/CamCube.Services.Images.Pictures",
            "CamCube.Services.Images.Pictures",
            [
                [Top],
                ["Simulated"],
                ["Wire"],
                ["Formats"],
            ]
        ),
        (
            "Services/CamCube.Services.Images.Worker",
            "CamCube.Services.Images.Worker",
            [
                [Top],
                ["Probing", "Serving"],
                ["Making", "Sandbox"],
            ]
        ),
        (
            "Services/CamCube.Services.Tunnel",
            "CamCube.Services.Tunnel",
            [
                [Top],
                ["Cards", "Flooding", "Names", "Receiving", "Sending"],
                ["Frames"],
                ["Addresses", "Commands", "Counting", "Settings", "Wire"],
            ]
        ),
        (
            "src/CamCube.Workers",
            "CamCube.Workers",
            [
                ["Pools", "Running", "Simulated"],
                ["Settings"],
                ["Jobs", "Programs"],
            ]
        ),
        (
            "Services/CamCube.Services.Workloads",
            "CamCube.Services.Workloads",
            [
                ["AllToAll", "Load", "Messages", "Routing"],
            ]
        ),
        (
            "src/CamCube.FrontEnds",
            "CamCube.FrontEnds",
            [
                [Top],
                ["Loop", "Pool"],
                ["Connections"],
                ["Protocols", "Tls"],
                ["Buffers", "Descriptors", "Http", "Settings"],
            ]
        ),
        (
            "Shim/CamCube.Shim.Udp",
            "CamCube.Shim.Udp",
            [
                [Top],
                ["Ports"],
                ["Settings"],
                ["Endpoints", "Sealing"],
            ]
        ),
        (
            "Shim/CamCube.Shim.Switch",
            "CamCube.Shim.Switch",
            [
                [Top],
                ["Connections"],
                ["Format", "Settings"],
            ]
        ),
        (
            "Simulator/CamCube.Simulator",
            "CamCube.Simulator",
            [
                ["Swarm"],
                ["Checkers"],
                [Top],
                ["Live", "Tracing"],
                ["Engine"],
                ["Settings"],
                ["Disks", "Seeing"],
            ]
        ),
        .. ToolFloorRules.Projects,
    ];

    /// <summary>Folders whose types are in the project's own namespace: who uses the project needs one using.
    /// <see cref="Everywhere"/> stands for all of them.</summary>
    public static readonly (string Project, string[] Folders)[] WithoutNamespace =
    [
        (
            "src/CamCube.Abstractions",
            [
                "Commands",
                "FrontEnds",
                "Geometry",
                "Memory",
                "Packets",
                "Routing",
                "Server",
                "Services",
                "Storage",
                "Work",
            ]
        ),
        ("src/CamCube.Calls", [Everywhere]),
        ("src/CamCube.Trees", [Everywhere]),
        ("src/CamCube.Client.Cache", ["Failures", "Settings"]),
        ("Services/CamCube.Services.Cache", ["Settings"]),
        ("Services/CamCube.Services.Collectives", ["Settings"]),
        ("Services/CamCube.Services.Distribution", ["Settings"]),
        ("Services/CamCube.Services.Camdoop", ["Settings"]),
        ("Services/CamCube.Services.Files", ["Settings"]),
        ("Services/CamCube.Services.Images", ["Settings"]),
        ("Services/CamCube.Services.KeyValue", ["Settings"]),
        ("Services/CamCube.Services.Messenger", ["Settings"]),
        ("Services/CamCube.Services.Tunnel", ["Settings"]),
        ("src/CamCube.Messaging", ["Messages", "Streams", "Streams/Terms"]),
        ("src/CamCube.Workers", [Everywhere]),
    ];

    /// <summary>All folders of a project.</summary>
    public const string Everywhere = "*";

    /// <summary>Projects with folders that have no floors yet: each is named here until it has.</summary>
    public static readonly string[] Unfinished = [];
}
