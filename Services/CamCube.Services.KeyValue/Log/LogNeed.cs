namespace CamCube.Services.KeyValue.Log;

/// <summary>What becomes of a record when its segment is compacted.</summary>
internal enum LogNeed
{
    /// <summary>It is garbage: nothing is found by it any more.</summary>
    None = 0,

    /// <summary>It is copied, and <see cref="ILogIndex.Moved"/> says where to.</summary>
    Copy = 1,

    /// <summary>It is a delete that every member has passed: of no use but to hide older records of its key. It is
    /// copied while another segment may hold one, and dropped otherwise (<see cref="ILogIndex.Dropped"/>).</summary>
    PassedDelete = 2,

    /// <summary>The owner has appended what stands in its place, during the call. For records whose order matters: a
    /// copy stands behind newer records.</summary>
    Rewritten = 3,

    /// <summary>It cannot be said now, or there was no room to rewrite it. The segment stays, and is compacted again
    /// some time later.</summary>
    Later = 4,
}
