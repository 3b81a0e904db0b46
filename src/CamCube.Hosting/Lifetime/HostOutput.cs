namespace CamCube.Hosting.Lifetime;

/// <summary>Where the host speaks to people: results and errors. Logs go elsewhere. A disk that is full or an end of a
/// pipe that is closed changes nothing of what the host does.</summary>
/// <param name="results">Standard output.</param>
/// <param name="errors">Standard error.</param>
internal sealed class HostOutput(TextWriter results, TextWriter errors)
{
    /// <summary>Writes lines to the results and sees them out: who waits for the ready line reads a pipe. False: it
    /// could not be done, and the errors say so.</summary>
    public bool WriteLines(IEnumerable<string> lines)
    {
        if (TryWrite(results, lines) is not { } fault)
        {
            return true;
        }

        WriteErrors([$"standard output cannot be written: {fault}"]);
        return false;
    }

    /// <summary>Writes lines to the errors. If that cannot be done there is nobody left to tell; the exit code still
    /// does.</summary>
    public void WriteErrors(IEnumerable<string> lines) => TryWrite(errors, lines);

    private static string? TryWrite(TextWriter writer, IEnumerable<string> lines)
    {
        try
        {
            foreach (string line in lines)
            {
                writer.WriteLine(line);
            }

            writer.Flush();
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            return e.Message;
        }
    }
}
