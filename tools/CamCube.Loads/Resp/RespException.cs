namespace CamCube.Loads.Resp;

/// <summary>A server that speaks Redis gave no answer that can be read.</summary>
/// <param name="message">What happened, a sentence.</param>
/// <param name="wasSent">Whether it may have got what was asked: then nobody knows whether it was done.</param>
/// <param name="inner">What was below it.</param>
public sealed class RespException(string message, bool wasSent, Exception? inner = null) : IOException(message, inner)
{
    /// <summary>Whether it may have got what was asked: then nobody knows whether it was done.</summary>
    public bool WasSent => wasSent;
}
