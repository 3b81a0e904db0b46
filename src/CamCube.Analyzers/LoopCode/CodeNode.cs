using System.Collections.Generic;
using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers.LoopCode;

/// <summary>What is in one method, or in the initialiser of a field. Under the lock of its graph until that is
/// whole.</summary>
internal sealed class CodeNode(ISymbol symbol)
{
    public ISymbol Symbol => symbol;

    /// <summary>Methods that are called, and on which thread.</summary>
    public List<(IMethodSymbol Method, RunBy Thread)> Calls { get; } = [];

    /// <summary>What would be a mistake where the loop gets to it.</summary>
    public List<LoopUse> Uses { get; } = [];
}
