namespace CamCube.Services.Collectives;

/// <summary>How an operation ended. The numbers are in the wire format.</summary>
public enum CollectiveStatus : byte
{
    /// <summary>It is done here: the result is here, and whoever gets it from here has it, or it is under way to
    /// him.</summary>
    Done = 0,

    /// <summary>Operations do not agree in what is done, type, operator or length. The group has ended;
    /// <see cref="CollectiveResult.Member"/> is one whose operation is not that of the server next to it in a
    /// tree.</summary>
    Mismatch = 1,

    /// <summary>A member cannot be reached, or has begun anew, so its part is gone. The group has ended;
    /// <see cref="CollectiveResult.Member"/> says who it was. A group of the others, of another name, goes
    /// on.</summary>
    MemberLost = 2,

    /// <summary>A member has closed the group before this operation. The group has ended.</summary>
    MemberLeft = 3,

    /// <summary>The group is closed here.</summary>
    Closed = 4,

    /// <summary>The call itself was wrong: a length that is no multiple of the element's, an operator that the type
    /// does not have, a root that is no member. Nothing was done, and the group goes on.</summary>
    Invalid = 5,

    /// <summary>As many operations as may wait do. Nothing was done, and the group goes on.</summary>
    Busy = 6,

    /// <summary>The <see cref="ReduceFunction"/> threw at a member. The group has ended;
    /// <see cref="CollectiveResult.Member"/> says where. It is a fault of the service that gave it there.</summary>
    FunctionThrew = 7,

    /// <summary>The <see cref="ReduceFunction"/> did not return in time at a member, or the service that gave it has
    /// stopped there. The group has ended; <see cref="CollectiveResult.Member"/> says where.</summary>
    FunctionLate = 8,

    /// <summary>Settings of members that say which way operations go are not the same, so members would wait for each
    /// other for ever. The group has ended, before anything was done; <see cref="CollectiveResult.Member"/> is one
    /// whose settings are not those of the server next to it in a tree.</summary>
    OtherSettings = 9,
}
