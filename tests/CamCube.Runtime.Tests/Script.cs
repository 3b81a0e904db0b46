using CamCube.Runtime.Services;

namespace CamCube.Runtime.Tests;

/// <summary>What a <see cref="Scripted"/> service does, told by a test. One script serves all servers of a
/// cube.</summary>
internal sealed class Script
{
    public delegate Verdict PacketAct(Scripted self, in HopContext hop, Packet packet);

    public Dictionary<int, Scripted> Running { get; } = [];

    public int Made { get; set; }

    public Action<IServer>? Constructor { get; set; }

    public Action<Scripted>? Start { get; set; }

    public Action<Scripted, StopReason>? Stop { get; set; }

    public Action<Scripted, TopologyChange>? Topology { get; set; }

    public PacketAct? Packet { get; set; }

    /// <summary>What happened, in order, as the test wrote it.</summary>
    public List<string> Log { get; } = [];

    public Scripted this[int rank] => Running[rank];

    public ServiceDefinition Define(
        ushort id = 0x0300,
        QueueOptions? queue = null,
        FaultPolicy onFault = FaultPolicy.Restart,
        int header = 8
    ) =>
        new()
        {
            Id = new ServiceId(id),
            Name = $"scripted-{id:x4}",
            HeaderLength = header,
            OnFault = onFault,
            Queue = queue ?? new QueueOptions(),
            Create = activation => new Scripted(activation, this),
        };
}
