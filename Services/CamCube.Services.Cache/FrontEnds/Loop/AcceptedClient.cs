using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>A client that was just accepted.</summary>
/// <param name="Socket">Its socket.</param>
/// <param name="Address">Who it is.</param>
/// <param name="Listener">Where it was accepted, as memcached writes it.</param>
/// <param name="HasTls">Whether it must speak TLS.</param>
[SupportedOSPlatform("linux")]
internal readonly record struct AcceptedClient(
    DescriptorHandle Socket,
    PeerAddress Address,
    string Listener,
    bool HasTls
)
{
    /// <summary>Who it is, as memcached writes it. A client of a Unix socket has no name but the socket's.</summary>
    public string Text => Address.ToEndPoint() is { } end ? ListeningSocket.TextOf(end) : Listener;
}
