namespace CamCube.Messaging;

/// <summary>On which paths the packets of a connection leave. The default is <see cref="All"/>.</summary>
public readonly record struct StreamPaths
{
    private const byte OneCode = 1,
        FirstLinkCode = 2;

    private StreamPaths(byte code) => Code = code;

    /// <summary>All link-disjoint paths at once (SIGCOMM §3.1).</summary>
    public static StreamPaths All => default;

    /// <summary>The first shortest one.</summary>
    public static StreamPaths One => new(OneCode);

    /// <summary>The cable, if this is <see cref="Via"/>.</summary>
    public Link? Cable => Code >= FirstLinkCode ? (Link)(Code - FirstLinkCode) : null;

    /// <summary>As it stands in a greeting.</summary>
    internal byte Code { get; }

    /// <summary>One cable to a neighbour: an edge of a tree. While that cable is gone: <see cref="All"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No cable link.</exception>
    public static StreamPaths Via(Link link)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((int)link, Links.Cables, nameof(link));
        return new StreamPaths((byte)(FirstLinkCode + (int)link));
    }

    /// <inheritdoc/>
    public override string ToString() =>
        Code switch
        {
            0 => "all",
            OneCode => "one",
            _ => Cable!.Value.PlainName(),
        };

    /// <summary>From a greeting. False: there are no such paths.</summary>
    internal static bool TryFromCode(byte code, out StreamPaths paths)
    {
        paths = new StreamPaths(code);
        return code < FirstLinkCode + Links.Cables;
    }

    /// <summary>The same paths as the other end of them names them.</summary>
    internal StreamPaths Mirrored() => Cable is { } link ? Via(link.Opposite()) : this;
}
