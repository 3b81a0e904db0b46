namespace CamCube.Trees;

/// <summary>What a <see cref="MergingVertex{TRequest}"/> has to know of its job. All of it depends on the job's input
/// and the vertex only, never on when or where it is asked: that is why every consumer gets the same sequence. Loop
/// only.</summary>
/// <typeparam name="TRequest">What the service says in a pull.</typeparam>
public interface IMergeJob<TRequest>
    where TRequest : IPullRequest<TRequest>
{
    /// <summary>Records of one key become one, at every vertex. Else all records are passed on.</summary>
    bool Combines { get; }

    /// <summary>Bytes of the longest record.</summary>
    int MostRecord { get; }

    /// <summary>The trees.</summary>
    TreePlan Plan { get; }

    /// <summary>How a pull of a child shares links and memory; its edge is filled in.</summary>
    PullTerms Terms { get; }

    /// <summary>The request for a vertex from a position on.</summary>
    TRequest From(in VertexId vertex, MergePosition position);

    /// <summary>The vertex's own records, from the first that may lie behind the position: those of its key, too, if
    /// the job does not combine.</summary>
    /// <param name="vertex">The vertex.</param>
    /// <param name="position">How far they are taken.</param>
    /// <param name="more">To be called when a record is here that was not, or the run is over: never within a call of
    /// the run.</param>
    IRecordRun Own(in VertexId vertex, MergePosition position, Action more);

    /// <summary>Two values of one key become one. Associative: ((a, b), c) is (a, (b, c)).</summary>
    /// <param name="key">The key.</param>
    /// <param name="left">The value that comes first in the vertex's order.</param>
    /// <param name="right">The other one.</param>
    /// <param name="result">Room for the result: as much as a record of the key may have.</param>
    /// <returns>Bytes of the result; less than 0: it has no room, and the job fails.</returns>
    int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result);

    /// <summary>Whether values are combined off the loop, by <see cref="CombineLater"/>, as what does it may take
    /// long.</summary>
    bool CombinesLater => false;

    /// <summary>Combines a window of records off the loop.</summary>
    /// <param name="window">The window, of which <see cref="CombineWindow.Run"/> is to be called once. It is not the
    /// vertex's again until it is told; if what combines never returns, never.</param>
    /// <param name="done">To be called once, on the loop and not within this call: with what is wrong, in words, or
    /// null. Not if the service has stopped.</param>
    void CombineLater(CombineWindow window, Action<string?> done) => throw new NotSupportedException();

    /// <summary>The job cannot go on: what a child sent, or the vertex has itself, is not in order, too long or no
    /// record, or a result was too long.</summary>
    void Fail(in VertexId vertex, string words);
}
