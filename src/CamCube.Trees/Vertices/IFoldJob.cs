namespace CamCube.Trees;

/// <summary>What a <see cref="FoldingVertex{TRequest}"/> has to know of its job: vectors of one length, one per server,
/// that are folded into one, element by element. All of it depends on the job's input and the vertex only. Loop
/// only.</summary>
/// <typeparam name="TRequest">What the service says in a pull.</typeparam>
public interface IFoldJob<TRequest>
    where TRequest : IPullRequest<TRequest>
{
    /// <summary>The trees.</summary>
    TreePlan Plan { get; }

    /// <summary>How a pull of a child shares links and memory; its edge is filled in.</summary>
    PullTerms Terms { get; }

    /// <summary>Bytes of an element, 1 to <see cref="FoldingVertex{TRequest}.MostElement"/>.</summary>
    int ElementBytes { get; }

    /// <summary>Bytes of the vectors of a tree, of all its servers and of the result: whole elements.</summary>
    long LengthOf(int tree);

    /// <summary>The request for a vertex from a position on.</summary>
    /// <param name="vertex">The vertex.</param>
    /// <param name="position">A byte offset, whole elements.</param>
    TRequest From(in VertexId vertex, long position);

    /// <summary>Whether the vertex's server has a vector. One that has none is on the way to others.</summary>
    bool HasOwn(in VertexId vertex);

    /// <summary>The vertex's own vector, from an offset on: as much of it as is there in one piece. Nothing: it is not
    /// there yet, and <see cref="FoldingVertex{TRequest}.Look"/> is called when it is.</summary>
    /// <param name="vertex">The vertex.</param>
    /// <param name="position">A byte offset, below the length.</param>
    /// <returns>Whole elements, lent for the call.</returns>
    ReadOnlySpan<byte> Own(in VertexId vertex, long position);

    /// <summary>Folds elements into others, one by one. Where the result depends on the order, as sums of floating
    /// point numbers do, it is always the same one: left come the server's own and then its children's, in the order of
    /// their links.</summary>
    /// <param name="left">Elements, and where the results go.</param>
    /// <param name="right">As many of them.</param>
    void Fold(Span<byte> left, ReadOnlySpan<byte> right);

    /// <summary>The job cannot go on: a child's answer is shorter than its vector, or it does not answer.</summary>
    void Fail(in VertexId vertex, string words);
}
