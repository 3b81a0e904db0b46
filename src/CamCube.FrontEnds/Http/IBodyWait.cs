namespace CamCube.FrontEnds.Http;

/// <summary>Somebody who waits for the other end of a body.</summary>
internal interface IBodyWait
{
    /// <summary>The wait begins, on the thread on which it goes on.</summary>
    void Begin();

    /// <summary>The wait is over. Any thread, once for each begin.</summary>
    void End();
}
