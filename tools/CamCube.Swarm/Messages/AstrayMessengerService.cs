using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using CamCube.Runtime.Services;
using CamCube.Services.Messenger;

namespace CamCube.Swarm.Messages;

/// <summary>
/// For tests of the checkers only: a messenger with a planted bug. Every hundredth short message is given to another
/// endpoint of the same server, if there is one.
/// </summary>
internal sealed class AstrayMessengerService(IServer server, MessengerOptions options) : CamCubeService, IMessenger
{
    // Places in the header (docs/messenger.md, Wire).
    private const int Term = 12,
        Kind = 20,
        Destination = 32;
    private readonly MessengerService _right = new(server, options);
    private int _seen;

    /// <inheritdoc/>
    public IResolver Resolver
    {
        get => _right.Resolver;
        set => _right.Resolver = value;
    }

    /// <summary>The messenger with this bug, in the place of the right one.</summary>
    public static ServiceDefinition Define(MessengerOptions options)
    {
        ServiceDefinition right = ServiceDefinition.Of(a => new MessengerService(a.Server, options));
        return new ServiceDefinition
        {
            Id = right.Id,
            Name = MessengerWorkload.Astray,
            HeaderLength = right.HeaderLength,
            OnFault = right.OnFault,
            Create = activation => new AstrayMessengerService(activation.Server, options),
        };
    }

    /// <inheritdoc/>
    public EndpointOpen TryOpen(string name, EndpointOptions? options, [NotNullWhen(true)] out IEndpoint? endpoint) =>
        _right.TryOpen(name, options, out endpoint);

    /// <inheritdoc/>
    public int ShortRoom(int items) => _right.ShortRoom(items);

    /// <inheritdoc/>
    public bool TryRentWindow(int length, [NotNullWhen(true)] out Window? window) =>
        _right.TryRentWindow(length, out window);

    /// <inheritdoc/>
    public void ReturnWindow(Window window) => _right.ReturnWindow(window);

    /// <inheritdoc/>
    public IReadOnlyList<EndpointNumbers> List() => _right.List();

    /// <inheritdoc/>
    public IReadOnlyList<(string What, long Count)> Leftovers() => _right.Leftovers();

    /// <inheritdoc/>
    public override void OnStart() => _right.OnStart();

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => _right.OnStop(reason);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => _right.OnTopologyChanged(change);

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        Span<byte> header = packet.HeaderSpan;
        if (hop.IsDestination && header[Kind] == 1 && ++_seen % 100 == 0)
        {
            ulong to = BinaryPrimitives.ReadUInt64LittleEndian(header[Destination..]);
            foreach (EndpointNumbers other in _right.List())
            {
                if (other.State == EndpointState.Owned && other.Id.Value != to)
                {
                    BinaryPrimitives.WriteUInt64LittleEndian(header[Destination..], other.Id.Value);
                    BinaryPrimitives.WriteUInt32LittleEndian(header[Term..], other.Term);
                    break;
                }
            }
        }

        return _right.OnPacket(hop, packet);
    }
}
