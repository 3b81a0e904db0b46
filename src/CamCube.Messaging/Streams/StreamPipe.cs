using System.IO.Pipelines;

namespace CamCube.Messaging;

/// <summary>A stream as a pair of pipes.</summary>
internal sealed class StreamPipe(ReliableStream stream) : IDuplexPipe
{
    private bool _isReadDone;
    private bool _isWriteDone;
    private StreamPipeReader? _input;
    private StreamPipeWriter? _output;

    public PipeReader Input => _input ??= new StreamPipeReader(stream, this);

    public PipeWriter Output => _output ??= new StreamPipeWriter(stream, this);

    /// <summary>One side has no more use for the stream; after both it is given back.</summary>
    public void NoteDone(bool isReader)
    {
        _isReadDone |= isReader;
        _isWriteDone |= !isReader;
        if (_isReadDone && _isWriteDone)
        {
            stream.Dispose();
        }
    }
}
