namespace CamCube.Trees;

/// <summary>Who is asked for vertices: the service. Loop only.</summary>
/// <typeparam name="TRequest">What the service says in a pull.</typeparam>
public interface IPullHandler<TRequest>
    where TRequest : IPullRequest<TRequest>
{
    /// <summary>A vertex is pulled here: nearly always because this server is root of its key.</summary>
    /// <param name="output">Where the answer goes.</param>
    /// <param name="vertex">The vertex: its place is in the cube, all else may be wrong.</param>
    /// <param name="request">What is wanted of it.</param>
    /// <param name="source">Who answers.</param>
    /// <returns><see cref="PullRefusal.None"/>, or why not.</returns>
    PullRefusal OnPull(PullOutput output, in VertexId vertex, TRequest request, out IPullSource? source);
}
