using System.Diagnostics.CodeAnalysis;

namespace CamCube.Trees;

/// <summary>What a service says in a pull beside the vertex: from which position on, and what else the answer depends
/// on. Travels as bytes.</summary>
/// <typeparam name="TSelf">The request itself.</typeparam>
public interface IPullRequest<TSelf>
    where TSelf : IPullRequest<TSelf>
{
    /// <summary>A request has at most so many bytes, up to <see cref="PullOptions.MostRequestBytes"/>.</summary>
    static abstract int MostBytes { get; }

    /// <summary>Writes it. Returns how many bytes it has.</summary>
    /// <param name="to">Room for <see cref="MostBytes"/>.</param>
    int Write(Span<byte> to);

    /// <summary>Reads it. False: it is none; whoever sent it is told so, once.</summary>
    static abstract bool TryRead(ReadOnlySpan<byte> from, [MaybeNullWhen(false)] out TSelf request);
}
