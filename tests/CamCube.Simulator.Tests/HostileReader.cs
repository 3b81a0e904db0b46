using CamCube.Messaging;
using CamCube.Services.Diagnostics.Streams;

namespace CamCube.Simulator.Tests;

/// <summary>Stands where <see cref="StreamsService"/> should: takes every stream and never reads, and opens thousands
/// to all others for which nobody asked.</summary>
internal sealed class HostileReader : CamCubeService, IStreamHandler
{
    private readonly IServer _server;
    private readonly StreamEndpoint<StreamsHeader> _endpoint;

    public HostileReader(IServer server)
    {
        _server = server;
        _endpoint = new StreamEndpoint<StreamsHeader>(server, new StreamOptions(), this);
    }

    /// <inheritdoc/>
    public override void OnStart()
    {
        _endpoint.Start();
        _server.Loop.Run(OpenAsync);
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => _endpoint.Stop();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => _endpoint.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => _endpoint.OnTopologyChanged(change);

    /// <inheritdoc/>
    public bool OnIncoming(ReliableStream stream) => true;

    /// <inheritdoc/>
    public void OnEnded(ReliableStream stream) => stream.Dispose();

    private async ValueTask OpenAsync()
    {
        for (int i = 0; i < 20_000 && await _server.DelayAsync(TimeSpan.FromMicroseconds(20)); i++)
        {
            Coordinate to = _server.Shape.At(i % _server.Shape.Count);
            if (
                to != _server.Coordinate
                && _endpoint.TryOpen(to, new StreamParameters { Label = (ulong)i }, out ReliableStream? stream)
                    == StreamOpen.Ok
            )
            {
                stream!.Write("not asked for"u8);
            }
        }
    }
}
