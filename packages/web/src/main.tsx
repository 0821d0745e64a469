import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './index.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
// Every screen, the login too, follows the scheme of the system while it is open.
import './app/state/theme.ts';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
