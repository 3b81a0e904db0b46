namespace CamCube.Services.Tunnel.Cards;

/// <summary>A network card of the machine whose cable is this service. Loop only.</summary>
internal interface ICard : IDisposable
{
    /// <summary>Work on frames that the machine leaves to the tunnel, for people.</summary>
    string Offloads { get; }

    /// <summary>Whether somebody else took it away: it is to be closed, and another one made.</summary>
    bool IsGone { get; }

    /// <summary>From now on frames are told of.</summary>
    /// <param name="loop">The server's loop.</param>
    /// <param name="read">Reads some; whether there may be more.</param>
    /// <returns>False: this loop cannot wait for a card.</returns>
    bool TryBegin(IServerLoop loop, Func<bool> read);

    /// <summary>One frame with its virtio header, if there is one. Returns its bytes; 0: there is none.</summary>
    int Read(Span<byte> frame);

    /// <summary>Gives the machine a frame with its virtio header. False: it did not take it, and it is lost.</summary>
    bool Write(ReadOnlySpan<byte> frame);
}
