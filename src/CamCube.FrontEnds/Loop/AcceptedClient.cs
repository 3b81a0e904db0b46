using System.Runtime.Versioning;
using CamCube.FrontEnds.Connections;
using CamCube.Linux;

namespace CamCube.FrontEnds.Loop;

/// <summary>A client that was just accepted.</summary>
/// <param name="Socket">Its socket.</param>
/// <param name="Address">Who it is.</param>
/// <param name="Listener">Where it was accepted, as text.</param>
/// <param name="HasTls">Whether it must speak TLS.</param>
[SupportedOSPlatform("linux")]
internal readonly record struct AcceptedClient(
    DescriptorHandle Socket,
    PeerAddress Address,
    string Listener,
    bool HasTls
)
{
    /// <summary>Who it is, as text. A client of a Unix socket has no name but the socket's.</summary>
    public string Text => Address.ToEndPoint() is { } end ? ListeningSocket.TextOf(end) : Listener;
}
