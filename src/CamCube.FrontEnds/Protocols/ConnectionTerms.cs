using CamCube.FrontEnds.Settings;
using Microsoft.Extensions.Logging;

namespace CamCube.FrontEnds.Protocols;

/// <summary>What a front end says of itself to those who serve its connections.</summary>
/// <typeparam name="TService">The service that clients are served with.</typeparam>
public sealed class ConnectionTerms<TService>
    where TService : class
{
    /// <summary>Name of the protocol, for logs and health.</summary>
    public required string Name { get; init; }

    /// <summary>Makes protocols. Any thread.</summary>
    public required ProtocolFactory<TService> Protocol { get; init; }

    /// <summary>Limits, and where it listens beside its port.</summary>
    public required ConnectionOptions Options { get; init; }

    /// <summary>The servers that serve, as a rule one.</summary>
    public required IReadOnlyList<IServerGate> Gates { get; init; }

    /// <summary>The log.</summary>
    public required ILogger Logger { get; init; }

    /// <summary>The clock of clients on pool threads; those in a server's loop have the loop's.</summary>
    public required TimeProvider Time { get; init; }

    /// <summary>Makes one service of several servers', each with a part of the keys, in the order of
    /// <see cref="Gates"/>. Needed with more than one gate; without it they are served from pool threads.</summary>
    public Func<IReadOnlyList<ISharedService<TService>>, TService>? Join { get; init; }

    /// <summary>What a client over <see cref="ConnectionOptions.MaxConnections"/> is told. Default nothing.</summary>
    public ReadOnlyMemory<byte> Refusal { get; init; }

    /// <summary>Questions of one client answered in one turn of the loop; the rest waits until others had theirs. When
    /// all together had so many, the loop looks at its server before it goes on with the next client.</summary>
    public int AnswersPerTurn { get; init; } = 1_024;

    /// <summary>Bytes that a protocol may leave unconsumed and yet want more. A client of whom more would have to be
    /// kept is closed. Default 1 MiB.</summary>
    public int MaxUnread { get; init; } = 1 << 20;

    /// <summary>Bytes that a protocol may write before they are sent, in one step. A client who would be answered more
    /// is closed. Default 16 MiB.</summary>
    public int MaxAnswer { get; init; } = 16 << 20;
}
