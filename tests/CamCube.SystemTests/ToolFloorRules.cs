namespace CamCube.SystemTests;

/// <summary>The floors of the tools, as <see cref="FloorRules"/> has those of the product.</summary>
internal static class ToolFloorRules
{
    /// <summary>Folder, namespace, floors.</summary>
    public static readonly (string Project, string Namespace, string[][] Floors)[] Projects =
    [
        (
            "tools/CamCube.Experiments",
            "CamCube.Experiments",
            [
                ["Catalog"],
                ["Catalog/Cables", "Catalog/Camdoop", "Catalog/Images", "Catalog/KeyValues", "Catalog/Streams"],
                ["Images", "Shuffles", "Symbiotic"],
                [
                    "Cables",
                    "Camdoop",
                    "Churn",
                    "HotSpots",
                    "KeyValues",
                    "Multicast",
                    "Streams",
                    "Throughput",
                    "Collectives",
                    "Distributions",
                    "Transfers",
                    "Tunnels",
                ],
                ["Figures"],
                ["Generated", "Moves", "Plots", "Routing", "Sources"],
                [FloorRules.Top],
            ]
        ),
        (
            "tools/CamCube.Chaos",
            "CamCube.Chaos",
            [
                ["Jobs"],
                [FloorRules.Top],
                ["Clients", "Views"],
                ["Settings"],
            ]
        ),
        (
            "tools/CamCube.Histories",
            "CamCube.Histories",
            [
                ["Recording"],
                ["Checking"],
                [FloorRules.Top],
            ]
        ),
        (
            "tools/CamCube.Loads",
            "CamCube.Loads",
            [
                ["Runs"],
                ["Targets"],
                ["Operations"],
                ["Measuring", "Settings"],
                ["Choosing", "Etcd", "Resp"],
            ]
        ),
        (
            "tools/CamCube.Swarm",
            "CamCube.Swarm",
            [
                ["Determinism", "Runs"],
                ["Files"],
                ["Images"],
                [
                    "Camdoop",
                    "Collectives",
                    "Distributions",
                    "Exploration",
                    "Histories",
                    "KeyValues",
                    "Messages",
                    "Recordings",
                    "Streams",
                    "Trees",
                    "Tunnels",
                ],
                [FloorRules.Top],
            ]
        ),
        (
            "tools/camcube",
            "CamCube.Tool",
            [
                [FloorRules.Top],
                ["Commands/Hadoop", "Commands/Images", "Dev"],
                ["Commands/Camdoop"],
                [
                    "Commands",
                    "Commands/Camdoop/Streaming",
                    "Commands/Collective",
                    "Commands/Distribute",
                    "Commands/Files",
                    "Commands/KeyValue",
                    "Commands/Testbed",
                    "Commands/Topology",
                ],
                ["Output"],
                ["Hosts"],
                ["Checks", "Syntax"],
            ]
        ),
    ];
}
