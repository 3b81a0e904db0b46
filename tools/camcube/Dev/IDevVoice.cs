using CamCube.Administration.Answers;

namespace CamCube.Tool.Dev;

/// <summary>Says what goes on in <c>camcube dev</c>: in words, or in JSON.</summary>
internal interface IDevVoice
{
    /// <summary>The first build begins.</summary>
    void Building(string project);

    /// <summary>A build has ended.</summary>
    /// <param name="name">The project's.</param>
    /// <param name="result">What came of it.</param>
    void Built(string name, BuildResult result);

    /// <summary>Nothing runs yet, and only a change can help.</summary>
    void Waits();

    /// <summary>The service runs.</summary>
    /// <param name="service">Its name.</param>
    /// <param name="servers">On how many servers.</param>
    /// <param name="url">Where the host is asked.</param>
    void Started(string service, int servers, string url);

    /// <summary>What one can try.</summary>
    void Examples(IReadOnlyList<string> lines);

    /// <summary>Sources or settings changed.</summary>
    void Changed(IReadOnlyList<string> files);

    /// <summary>A reload has ended, well or not (<see cref="ReloadAnswer.Problem"/>).</summary>
    void Reloaded(ReloadAnswer answer, TimeSpan took);

    /// <summary>Something did not work, and is said in a line.</summary>
    void Failed(string line);
}
