namespace CamCube.Workers;

/// <summary>What program is started, and how.</summary>
/// <param name="CommandLine">The program and what it is given. The program is a path, from
/// <see cref="Folder"/> if it does not begin with a slash; a name without a slash is looked for in
/// <see cref="Folder"/>, then in the PATH of <paramref name="Environment"/>.</param>
/// <param name="Environment">All of its environment, as NAME=value: nothing of this process's own goes to it.</param>
public sealed record ProgramStart(IReadOnlyList<string> CommandLine, IReadOnlyList<string> Environment)
{
    /// <summary>Its working folder; null: this process's own.</summary>
    public string? Folder { get; init; }

    /// <summary>What it may use.</summary>
    public ProgramLimits Limits { get; init; } = new();

    /// <summary>Whom it runs as: a name of /etc/passwd, or numbers as uid or uid:gid; without groups of its own. Only
    /// if this process is root's and /usr/bin/setpriv is there. Null: as this process.</summary>
    public string? User { get; init; }

    /// <summary>Gets each line of its standard error without its end, cut at 4 KiB, on the program's own thread: the
    /// bytes are lent for the call, which must be short and not block. One that throws is not called again. Null:
    /// nobody wants them.</summary>
    public Action<ReadOnlyMemory<byte>>? OnErrorLine { get; init; }
}
