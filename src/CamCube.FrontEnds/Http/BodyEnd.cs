namespace CamCube.FrontEnds.Http;

/// <summary>What follows a piece of a body.</summary>
public enum BodyEnd
{
    /// <summary>More may come.</summary>
    More,

    /// <summary>Nothing: this was all of it.</summary>
    Complete,

    /// <summary>Nothing, and it is not whole: the client went away, or sent more than is allowed. What was made of it
    /// must not be kept.</summary>
    Broken,
}
